#!/usr/bin/env bash
# shellcheck disable=SC2317 # run_cases calls the tests by their names
# labs/run: what it understands, builds, runs and tells (the machine is all stubs, scratch.sh).
# shellcheck source=tests/setup/scratch.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scratch.sh"

labs_run() { run "$project/labs/run" "$@"; }

test_list_needs_nothing() {
  rm "$scratch"/bin/{cmake,ninja,dpkg-query,apt-get}
  labs_run --list
  expect_code 0
  expect_line '01  The first'
  expect_line '08  second' # without a guide: the topic
  if [ -e "$project/build" ]; then fail 'wanted no build folder'; fi
}

test_help_needs_nothing() {
  labs_run --help
  expect_code 0
  expect_line 'usage: labs/run .*'
  expect_calls 0 .
}

test_unknown_lab_names_those_there_are() {
  labs_run 77
  expect_code 2
  expect_line "there is no lab '77'; there are: lab01_first lab08_second"
  expect_calls 0 .
}

test_unknown_option_is_refused_before_anything_is_done() {
  printf '      {"--width", "columns", &width, 2, 64}};\n' >"$project/labs/lab08_second/main.cpp"
  labs_run 08 --widht 3
  expect_code 2
  expect_line "lab 08 has no option '--widht'; it has --help --quick --full --out --seed --text --width, and .*"
  labs_run --width=3
  expect_code 2
  expect_line "lab 01 has no option '--width'; it has .*"
  expect_calls 0 .
  if [ -e "$project/build" ]; then fail 'wanted no build folder'; fi
  labs_run 08 --width -3
  expect_line 'lab08_second got: .* --width -3'
}

test_every_lab_runs_and_is_in_the_table() {
  labs_run
  expect_code 0
  expect_calls 1 '^ninja .* phasor lab_gallery lab01_first lab08_second$'
  expect_line '01 +The first +1\.5 +7 +12 passed'
  expect_line '08 +second +1\.5 +7 +12 passed'
  expect_line ' +2 labs +3\.0 +14 +24 passed, 0 failed'
  expect_line "every figure: $project/out/index.html"
  expect_line 'all is well'
  grep -q "^lab08_second got: --out $project/out/lab08\$" "$project/out/lab08/log.txt" ||
    fail 'wanted the output of the lab in its log'
  expect_no_text 'got:'
  expect_no_text $'\e'
}

test_one_lab_is_built_and_shown_alone() {
  labs_run 1
  expect_code 0
  expect_calls 1 '^ninja .* phasor lab_gallery lab01_first$'
  expect_line "lab01_first got: --out $project/out/lab01"
  expect_no_text 'lab08'
}

test_labs_are_found_by_number_topic_and_folder() {
  local name
  for name in 8 08 lab08 second lab08_second labs/lab08_second/; do
    labs_run "$name"
    expect_code 0
    expect_line 'lab08_second got: .*'
    rm -rf "$project/build"
  done
}

test_options_are_handed_through() {
  labs_run 08 --full --seed 3 --text=a.txt
  expect_line "lab08_second got: --out $project/out/lab08 --full --seed 3 --text=a.txt"
}

test_a_lab_may_follow_a_flag_but_not_the_number_of_an_option() {
  labs_run --full 08
  expect_line 'lab08_second got: .* --full'
  labs_run --seed 8
  expect_code 0
  expect_text '2 labs'
}

test_help_after_a_lab_is_of_the_lab() {
  labs_run 01 --help
  expect_code 0
  expect_line 'lab01_first got: .* --help'
  expect_no_text 'usage:'
  expect_no_text 'every figure'
}

test_results_go_where_they_are_asked_to() {
  labs_run 01 --out here
  expect_code 0
  expect_line 'lab01_first got: --out here/lab01'
  expect_line 'every figure: here/index.html'
  if [ -e "$project/out" ]; then fail 'wanted no out folder in the project'; fi
}

test_the_claims_are_measured_with_the_results() {
  labs_run 01 --out here
  expect_code 0
  expect_line '3 claims: 1 hold, 0 hold with a condition, 2 fail, 0 not measured'
  expect_line 'every claim: here/claims.html'
  grep -qx 'claims --results here --page here/claims.html' "$home/here/claims.html" ||
    fail 'wanted the page made from the results'
}

test_claims_that_cannot_be_measured_are_a_failure() {
  touch "$scratch/claims_fail"
  labs_run 01
  expect_code 1
  expect_line 'phasor: no such claim'
  expect_text 'the page of claims failed'
  expect_line 'every figure: .*' # all the same
}

test_a_figure_of_the_documents_that_no_lab_made_is_a_failure() {
  printf '%s\n' 'D8-F1  lab01  made' 'D8-F2  lab01  not made' 'D9-F1  lab08  not run' >"$scratch/figures"
  mkdir -p "$project/out/lab01"
  echo '{ "claims_id": "D8-F1" }' >"$project/out/lab01/one.json"
  labs_run 01
  expect_code 1
  expect_line 'figures of the documents that were not made: D8-F2 \(lab01\)'
  echo '{ "claims_id": "D8-F2" }' >"$project/out/lab01/two.json"
  labs_run 01
  expect_code 0
  expect_no_text 'not made'
}

test_a_failed_lab_is_not_asked_for_its_figures() {
  printf '%s\n' 'D9-F1  lab08  not made' >"$scratch/figures"
  labs_run --wrong=lab08
  expect_code 1
  expect_no_text 'were not made'
  expect_last_line 'failed: lab 08'
}

test_wrong_option_of_a_lab_is_wrong_use() {
  labs_run 01 --bogus
  expect_code 2
  expect_last_line 'lab01_first: no option --bogus'
}

test_a_crash_is_told_and_the_others_run() {
  mkdir -p "$project/out/lab01"
  echo '{"title": "old", "seconds": 9, "checks_passed": 99}' >"$project/out/lab01/summary.json"
  labs_run --crash=lab01
  expect_code 1
  expect_line "01 +The first +- +- +FAILED without a summary, killed by SIGABRT, see $project/out/lab01/log.txt"
  expect_line '08 +second .* 12 passed'
  expect_line 'A crash is most often an index beyond the end of an array.*'
  expect_last_line 'failed: lab 01'
}

test_a_failed_check_is_a_failure() {
  labs_run --wrong=lab08
  expect_code 1
  expect_line "08 .* 12 passed, 1 failed, see $project/out/lab08/log.txt"
  expect_line ' +2 labs .* 24 passed, 1 failed'
}

test_a_failed_build_shows_the_compiler_and_ends_with_1() {
  touch "$scratch/ninja_fails"
  labs_run
  expect_code 1
  expect_line 'b.cpp:3: error: no such thing'
  expect_no_text 'Building a.o'
  expect_no_text 'lab  title'
}

test_a_failed_configuration_shows_its_output() {
  touch "$scratch/cmake_fails"
  labs_run
  expect_code 1
  expect_line 'CMake Error: no fmt'
  expect_calls 0 '^ninja '
}

test_a_copied_project_is_configured_afresh() {
  labs_run
  cp -r "$project" "$scratch/a copy"
  run "$scratch/a copy/labs/run"
  expect_calls 1 '^cmake .*/a copy --preset native --fresh$'
}

test_it_configures_again_for_newer_presets_and_another_compiler() {
  labs_run
  touch -d '1 hour' "$project/CMakePresets.json"
  labs_run
  expect_calls 2 '^cmake .* --preset native$'
  touch -d '1 hour ago' "$project/CMakePresets.json"
  stub other++ </dev/null
  CXX=other++ labs_run
  expect_calls 1 '^cmake .* --preset native --fresh$'
}

test_it_works_through_a_link() {
  ln -s "$project/labs/run" "$home/labs"
  run "$home/labs" 01
  expect_code 0
  expect_line "lab01_first got: --out $project/out/lab01"
}

test_interrupt_stops_the_lab_and_the_rest() {
  local pid
  set -m # a process group of its own, as on a terminal
  # A shell that runs this in the background makes it ignore interrupts; a terminal does not.
  env -i --default-signal=INT PATH="$scratch/bin" TERM=dumb "$project/labs/run" --sleep >"$scratch/output" 2>&1 </dev/null &
  pid=$!
  until grep -q got: "$project/out/lab01/log.txt" 2>/dev/null; do sleep 0.05; done
  kill -INT -- "-$pid"
  wait "$pid"
  code=$? output=$(<"$scratch/output")
  expect_code 130
  expect_last_line 'stopped'
  if [ -e "$project/out/lab08" ]; then fail 'wanted the next lab not to start'; fi
}

test_colours_and_the_live_line_are_for_terminals() {
  on_terminal "'$project/labs/run' --wrong=lab08"
  expect_code 1
  expect_text $'\r\e[K'
  expect_text $'\e[31mfailed\e[0m: lab 08'
}

test_no_color_is_respected() {
  on_terminal NO_COLOR=1 "'$project/labs/run' --wrong=lab08"
  expect_code 1
  expect_text $'\r\e[K'
  expect_text 'failed: lab 08'
  expect_no_text $'\e[3'
  expect_no_text $'\e[1m'
}

run_cases "$@"
