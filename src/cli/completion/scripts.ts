/** Each script calls `rollcall complete` on every Tab, so it never gets out of date. */
export const completionScripts = {
  bash: `_rollcall() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null ;;
      :directories) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _rollcall rollcall
`,
  zsh: `#compdef rollcall
_rollcall() {
  local line
  local -i nothing=1
  local -a found
  while IFS= read -r line; do
    case $line in
      :files) _files && nothing=0 ;;
      :directories) _files -/ && nothing=0 ;;
      *$'\\t'*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) found+=("\${line//:/\\\\:}") ;;
    esac
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe rollcall found && nothing=0
  return nothing
}
if [[ $funcstack[1] == _rollcall ]]; then _rollcall "$@"; else compdef _rollcall rollcall; fi
`,
  fish: `function __rollcall_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':directories'
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c rollcall -f -a '(__rollcall_complete)'
`,
} as const;

export type Shell = keyof typeof completionScripts;
