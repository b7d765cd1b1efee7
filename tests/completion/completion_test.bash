#!/usr/bin/env bash
# Presses TAB without a terminal: sets the words that bash would hand to the completion function
# and looks at what it offers. Usage: completion_test.bash COMPLETION-SCRIPT
set -euo pipefail
# shellcheck source=apps/carl/completion/carl.bash
source "$1"

compopt() { :; }  # works only while bash completes
failures=0

# offers EXPECTED WORD…: completing the last of the words offers exactly the expected ones.
offers() {
  local expected=$1 offered
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _carl
  offered=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort | xargs)
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
offers 'model.json' carl solve mo
offers 'domain.pddl model.json my problem.pddl' carl solve ''
offers 'my problem.pddl' carl solve domain.pddl my
offers '--heuristic --heuristic-mode' carl solve model.json --heu
offers 'lp lrtdp' carl solve --algorithm l
offers 'lp lrtdp' carl solve --algorithm = l
offers 'bundle coordinate' carl solve --outer ''
offers 'bundle coordinate' carl solve --outer =
offers 'always auto' carl solve model.json --progress a
offers '' carl solve --time-limit ''
offers '' carl solve --bound = mo
offers 'model.json' carl solve --json mo
offers '--runs' carl simulate --ru
offers '' carl check --runs
offers 'sar' carl generate s
offers 'model.json' carl convert model.json -o mo

exit $((failures > 0))
