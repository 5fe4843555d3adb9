# shellcheck shell=bash
# What labs/run makes of all results: the check of the figures, the page of claims, the gallery.
# Sourced by it; uses its variables.
# shellcheck disable=SC2034,SC2154 # set or read there and in setup.sh

# Each figure of the documents has a lab that makes it: says which were not made by the labs that ran
# and passed. One that failed has said why.
check_figures() {
  local id lab name missing=()
  while read -r id lab _; do
    for name in "${chosen[@]}"; do
      if [[ $name == "$lab"_* && " ${failed[*]} " != *" lab ${lab#lab} "* ]] &&
        ! grep -qs "\"claims_id\": \"$id\"" "$out/$lab"/*.json; then
        missing+=("$id ($lab)")
      fi
    done
  done < <("$root/build/phasor" figures)
  if ((${#missing[@]})); then
    say "${red}figures of the documents that were not made$off: ${missing[*]}"
    failed+=("figures")
  fi
}

# What the claims of the documents come to, with the models that the labs have trained.
make_claims() {
  local log=$root/build/claims.log result
  lab_status='measuring the claims'
  begin "$lab_status"
  exec 3>"$log"
  ("$root/build/phasor" claims --results "$(shown_path "$out")" \
    --page "$(shown_path "$out/claims.html")" 2>&1; exit $?) 2>/dev/null </dev/null | follow on_lab_line
  result=${PIPESTATUS[0]}
  exec 3>&-
  stop_if_interrupted
  clear_status
  if ((result)); then
    tail -n 1 "$log"
    say "${red}the page of claims failed$off, see $(shown_path "$log")"
    failed+=("the page of claims")
  else
    grep -E '^[0-9]+ claims: ' "$log"
    say "every claim: $(shown_path "$out/claims.html")"
  fi
}

make_gallery() {
  if "$root/build/lab_gallery" "$(shown_path "$out")" >"$root/build/gallery.log" 2>&1; then
    say "every figure: $(shown_path "$out/index.html")"
  else
    cat "$root/build/gallery.log"
    say "${red}the page of figures failed$off"
    failed+=("the page of figures")
  fi
}
