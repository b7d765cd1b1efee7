#!/usr/bin/env bash
# The completion offers what the planner's own help lists, no more and no less.
# Usage: help_test.bash COMPLETION-SCRIPT CARL
set -euo pipefail
# shellcheck source=apps/carl/completion/carl.bash
source "$1"
carl=$2

failures=0

# same WHAT LISTED OFFERED: the same words, in any order.
same() {
  local listed offered
  listed=$(tr -s '[:space:]' '\n' <<<"$2" | sort)
  offered=$(tr -s '[:space:]' '\n' <<<"$3" | sort)
  if [[ $listed != "$offered" ]]; then
    printf '%s: the help lists "%s", the completion offers "%s"\n' "$1" "${listed//$'\n'/ }" \
      "${offered//$'\n'/ }"
    failures=$((failures + 1))
  fi
}

# The entries of a section of the help read from standard input: "  name …" or "  -n,--name …".
section() {
  sed -n "/^$1/,/^\$/s/^  \\(-[a-z],\\)\\{0,1\\}\\([a-z-][a-z-]*\\) .*/\\2/p"
}

same 'commands' "$("$carl" --help | section Subcommands:)" "$_carl_commands"
same 'options' "$("$carl" --help | section Options:)" "$(_carl_options '')"
same 'domains' "$("$carl" generate --help | section 'Domains and')" "$_carl_domains"
for command in $_carl_commands; do
  same "options of $command" "$("$carl" "$command" --help | section Options:)" \
    "$(_carl_options "$command")"
  # "  --progress TEXT:{auto,always,never}=auto"
  while read -r option values; do
    same "values of $option" "${values//,/ }" "$(_carl_values "$option" "$command" || true)"
  done < <("$carl" "$command" --help | sed -n 's/^  \(--[a-z-]*\) [A-Z]*:{\([^}]*\)}.*/\1 \2/p')
done

exit $((failures > 0))
