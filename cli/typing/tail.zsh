_halyard_kinds() { # KINDS: adds what the word may become
  local kind suffix file
  local -a plain names
  for kind in ${=1#,}; do
    case $kind in
    @file) _files ;;
    @folder) _files -/ ;;
    @verb) _describe -t verbs verb _halyard_verbs ;;
    @directive) plain+=($_halyard_directives) ;;
    @*)
      suffix=${${kind#@}%@NAME}
      _files -g "*$suffix(-.)"
      file=${PREFIX%:*}
      if [[ $kind == *@NAME && $file == *$suffix && -f $file ]]; then
        names=(${(f)"$(sed -nE 's/^[[:space:]]*schedule[[:space:]]+([A-Za-z_][A-Za-z0-9_]*)[[:space:]]+for([[:space:]].*)?$/\1/p' -- $file)"})
        compadd -- $file:${^names}
      fi ;;
    *) plain+=($kind) ;;
    esac
  done
  [[ $1 == ,* ]] && compset -P '*,'
  (( $#plain )) && compadd -a plain
  return 0
}

_halyard() {
  if (( CURRENT == 2 )); then
    _describe -t verbs verb _halyard_verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  _halyard_arguments $verb
}

if [[ $funcstack[1] == _halyard ]]; then _halyard "$@"; else compdef _halyard halyard; fi
