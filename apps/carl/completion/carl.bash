# Bash completion for carl. Commands, options and their values are listed here by hand, so that
# pressing TAB never starts the planner; tests/completion compares the lists with `carl --help`.

_carl_commands='solve check simulate act sweep pareto explain report info convert generate'
_carl_domains='sar elevators exbw parc ctw grid queues'

# The options of a command.
_carl_options() {
  local problem='--help --problem --minimise --goal --bound --chance --excess --cvar --unit --give-up'
  problem+=' --goal-probability --give-up-only-when-lost --time-limit --memory-limit'
  local model="$problem --seed"
  local search='--algorithm --outer --inner --heuristic --heuristic-mode --epsilon --eta --deterministic --gap'
  search+=' --threads'
  case $1 in
    solve)
      echo "$model $search --json --policy --policy-format --policy-all --policy-values --mixture" \
        "--certificate --certificate-states --no-explain --progress --verbose --quiet"
      ;;
    check) echo "$problem --result --certificate --exact --no-bounds --gap --max-states --json --quiet" ;;
    simulate)
      echo "$problem --runs --seed --threads --max-steps --trace --histogram --json --quiet"
      ;;
    act) echo '--help --seed --ignore-unknown-facts --json' ;;
    sweep)
      echo "$model --inner --heuristic --gap --threads --csv --json --plot --progress --quiet"
      ;;
    pareto)
      echo "$model --costs --inner --heuristic --gap --threads --csv --json --no-policies --plot" \
        "--vertex --policy --progress --quiet"
      ;;
    explain)
      echo "$problem --inner --heuristic --threads --policy --most-visited --spenders --no-ranges" \
        "--json --progress --quiet"
      ;;
    info) echo "$model --max-states --threads" ;;
    convert) echo "$model --output --format --compression" ;;
    report)
      echo "$model $search --output --policy --result --sweep --front --explanation --max-states" \
        "--progress"
      ;;
    generate) echo '--help --param --seed --output --domain --format --compression' ;;
    *) echo '--help --version' ;;
  esac
}

# The words that the value of an option (of a command) is one of; fails if it takes no such words.
_carl_values() {
  case $1 in
    --algorithm) echo 'carl auto i-dual i-dual-textbook i2-dual lp cg-ilao cg-ilao-paper ilao lrtdp vi' ;;
    --outer) echo 'bundle coordinate' ;;
    --inner) echo 'cg-ilao cg-ilao-paper ilao lrtdp vi' ;;
    --heuristic) echo 'pdb landmarks lmcut roc pom hmax dijkstra zero' ;;
    --heuristic-mode) echo 'lambda ideal-point c-roc' ;;
    --progress) echo 'auto always never' ;;
    --format) if [[ $2 == generate ]]; then echo 'json umb drn'; else echo 'json umb drn lp csv dot'; fi ;;
    --compression) echo 'none gzip xz' ;;
    --policy-format) echo 'json csv dot' ;;
    *) return 1 ;;
  esac
}

# Options whose value is a number or a text of the user's own: nothing to offer.
_carl_takes_text() {
  case $1 in
    --problem | --minimise | --goal | --bound | --give-up | --seed | --time-limit | --memory-limit) ;;
    --chance | --excess | --cvar | --unit | --goal-probability) ;;
    --epsilon | --eta | --gap | --max-states | --param | -p | --mixture) ;;
    --costs | --vertex | --most-visited | --spenders | --runs | --threads | --max-steps | --histogram | --certificate-states) ;;
    *) return 1 ;;
  esac
}

_carl() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' candidates
  # "--option=value" arrives as three words.
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $COMP_CWORD -gt 1 ]]; then command=${COMP_WORDS[1]}; fi

  COMPREPLY=()
  if candidates=$(_carl_values "$before" "$command"); then
    :
  elif _carl_takes_text "$before"; then
    return
  elif [[ $word == -* ]]; then
    candidates=$(_carl_options "$command")
  elif [[ -z $command ]]; then
    candidates="$_carl_commands help --help --version"
  elif [[ $command == help ]]; then
    candidates=$_carl_commands
  elif [[ $command == generate && $COMP_CWORD -eq 2 ]]; then
    candidates=$_carl_domains
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word")
}

complete -F _carl carl
