"""Headers of golden values, each in the namespace of its lab: all are linked into one test program,
where two constants of one name would be one constant."""
import re


def in_namespace(text, name):
    """`text`, a header, with everything after its last #include in the namespace `name`."""
    end = [match.end() for match in re.finditer(r"^#include .*\n", text, re.M)][-1]
    return f"{text[:end]}\nnamespace {name} {{\n{text[end:].rstrip()}\n\n}}  // namespace {name}\n"
