# Bash completion for carl. Commands, options and their values are listed here by hand, so that
# pressing TAB never starts the planner; tests/completion compares the list with `carl --help`.

_carl_commands='solve check simulate sweep report info convert generate'

# The options of a command.
_carl_options() {
  local model='--bound --give-up' limits='--time-limit --memory-limit'
  local algorithm='--algorithm --outer --inner --heuristic --heuristic-mode --epsilon --eta --gap'
  case $1 in
    solve)
      echo "--help --json --policy $algorithm $model $limits --seed --threads --verbose --quiet" \
        '--progress'
      ;;
    sweep) echo "--help $algorithm $model $limits --seed --threads --verbose --quiet --progress" ;;
    check | report) echo "--help $model" ;;
    simulate) echo "--help $model --runs --seed" ;;
    info) echo "--help $model $limits" ;;
    convert) echo "--help $model $limits --output -o" ;;
    generate) echo '--help --seed --output -o' ;;
    *) echo '--help --version' ;;
  esac
}

# The words that an option's value is one of; fails if the option takes no such words.
_carl_values() {
  case $1 in
    --algorithm) echo 'carl i-dual i2-dual lp auto cg-ilao ilao lrtdp vi' ;;
    --outer) echo 'bundle coordinate' ;;
    --inner) echo 'cg-ilao ilao lrtdp vi' ;;
    --heuristic) echo 'lmcut roc pom hmax dijkstra zero' ;;
    --heuristic-mode) echo 'lambda ideal-point c-roc' ;;
    --progress) echo 'auto always never' ;;
    *) return 1 ;;
  esac
}

# Options whose value is free text, or a number: nothing to offer.
_carl_takes_text() {
  case $1 in
    --bound | --give-up | --epsilon | --eta | --gap | --time-limit | --memory-limit) ;;
    --seed | --threads | --runs) ;;
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
  if candidates=$(_carl_values "$before"); then
    :
  elif _carl_takes_text "$before"; then
    return
  elif [[ $word == -* ]]; then
    candidates=$(_carl_options "$command")
  elif [[ -z $command ]]; then
    candidates="$_carl_commands --help --version"
  elif [[ $command == generate && $COMP_CWORD -eq 2 ]]; then
    candidates='sar elevators exbw parc ctw'
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word")
}

complete -F _carl carl
