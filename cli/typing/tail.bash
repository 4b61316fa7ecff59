_halyard_schedules() { # of a file: their names
  sed -nE 's/^[[:space:]]*schedule[[:space:]]+([A-Za-z_][A-Za-z0-9_]*)[[:space:]]+for([[:space:]].*)?$/\1/p' -- "$1" 2>/dev/null
}

_halyard_add_file() { # SUFFIX WORD: files that end so, and folders; the name of one brings its schedules
  local suffix=${1%@NAME} file
  while IFS= read -r file; do
    [[ -d $file || $file == *"$suffix" ]] && [[ -z ${seen[$file]-} ]] && seen[$file]=1 && COMPREPLY+=("$file")
  done < <(compgen -f -- "$2")
  [[ $1 == *@NAME && $2 == *"$suffix"* && -f ${2%:*} ]] || return 0
  while IFS= read -r file; do
    [[ ${2%:*}:$file == "$2"* ]] && COMPREPLY+=("${2%:*}:$file")
  done < <(_halyard_schedules "${2%:*}")
}

_halyard_add() { # KINDS WORD: adds what the word may become
  local kind head='' word=$2 kinds=$1
  local -A seen # files of two kinds are folders
  if [[ $kinds == ,* ]]; then
    kinds=${kinds#,}
    [[ $word == *,* ]] && head=${word%,*},
    word=${word##*,}
  fi
  set -f
  # shellcheck disable=SC2086 # words
  set -- ${kinds//@verb/$_halyard_verbs}
  # shellcheck disable=SC2048,SC2086 # words
  set -- ${*//@directive/$_halyard_directives}
  set +f
  for kind in "$@"; do
    case $kind in
    @file) while IFS= read -r kind; do COMPREPLY+=("$kind"); done < <(compgen -f -- "$word") ;;
    @folder) while IFS= read -r kind; do COMPREPLY+=("$kind"); done < <(compgen -d -- "$word") ;;
    @*) _halyard_add_file "${kind#@}" "$word" ;;
    "$word"*) COMPREPLY+=("$head$kind") ;;
    esac
  done
  [[ $kinds == *@* ]] && compopt -o filenames 2>/dev/null
  return 0
}

_halyard() {
  local line=${COMP_LINE:0:COMP_POINT} words current='' last verb kinds strip option
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] || { current=${words[-1]} && unset 'words[-1]'; }
  COMPREPLY=()
  verb=${words[1]-}
  if [[ -z $verb ]]; then
    _halyard_add '@verb --help --version' "$current"
    return 0
  fi
  last=''
  ((${#words[@]} > 2)) && last=${words[-1]}
  if [[ $current == --*=* ]] && kinds=$(_halyard_takes "$verb:${current%%=*}"); then
    option=${current%%=*}=
    _halyard_add "${kinds#=}" "${current#*=}"
    COMPREPLY=("${COMPREPLY[@]/#/$option}")
  elif kinds=$(_halyard_takes "$verb:$last") && [[ $kinds != =* ]]; then
    _halyard_add "$kinds" "$current"
  elif [[ $current == -* ]]; then
    _halyard_add "$(_halyard_options "$verb")" "$current"
  else
    _halyard_add "$(_halyard_files "$verb")" "$current"
  fi
  # readline replaces what stands behind the last character that parts words
  strip=${current%"${current##*[:=]}"}
  [[ -n $strip && $COMP_WORDBREAKS == *"${strip: -1}"* ]] && COMPREPLY=("${COMPREPLY[@]#"$strip"}")
  return 0
}
complete -F _halyard halyard
