"""Wrong implementations of the positional schemes, each a mistake that was seen in public code or
that the papers' notation invites: the reference with one method replaced. The docstring says what
is wrong and goes into the file. They are in scheme_mutants.py, bias_mutants.py and
rotation_mutants.py, scaling_mutants.py; `conformance.make` holds that each differs visibly from the right values.
`none` has no mutant: it computes nothing.
"""
MUTANTS = []


def spoils(case, what):
    """Registers a class: `what` is wrong, shown on the inputs of a case of the same scheme."""
    def register(mutant):
        mutant.case, mutant.what = case, what
        MUTANTS.append(mutant)
        return mutant
    return register
