#!/usr/bin/env bash
# Presses TAB without a terminal: sets the words that bash would hand to the completion function
# and looks at what it offers. Usage: completion_test.bash COMPLETION-SCRIPT
set -euo pipefail
# shellcheck source=/dev/null
source "$1"

# shellcheck disable=SC2317
compopt() { :; }  # works only while bash completes
failures=0

# offers EXPECTED WORD…: completing the last of the words offers exactly the expected ones.
offers() {
  local expected=$1 offered
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _carl
  offered=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort | paste -sd ' ')
  if [[ $offered != "$expected" ]]; then
    printf 'for "%s": offered "%s", expected "%s"\n' "$*" "$offered" "$expected"
    failures=$((failures + 1))
  fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
touch domain.pddl 'my problem.pddl' model.json

offers 'simulate solve sweep' carl s
offers '--help --version' carl -
offers 'help' carl h
offers 'simulate solve sweep' carl help s
offers 'model.json' carl solve mo
offers 'domain.pddl model.json my problem.pddl' carl solve ''
offers 'my problem.pddl' carl solve domain.pddl my
offers '--param' carl generate sar --pa
offers '--max-states' carl info model.json --ma
offers '' carl solve --max-states
offers 'always auto' carl solve model.json --progress a
offers 'always auto' carl solve --progress = a
offers 'always auto never' carl solve --progress ''
offers 'always auto never' carl solve --progress =
offers 'csv dot drn json lp umb' carl convert --format ''
offers 'drn json umb' carl generate --format ''
offers '' carl solve --time-limit ''
offers '' carl solve --bound = mo
offers '--exact --excess' carl check model.json --e
offers 'bash fish zsh' carl completion ''
offers '' carl simulate --runs ''
offers 'model.json' carl solve --json mo
offers 'model.json' carl convert model.json -o mo
offers 'sar' carl generate s
offers '' carl generate sar --param ''

exit $((failures > 0))
