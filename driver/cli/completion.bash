# SPDX-License-Identifier: BSD-3-Clause
#
# Completion in bash: the subcommands and options that `--help` lists, otherwise names of files.

_regroup() {
  local program=${1/#\~/$HOME} word=${COMP_WORDS[COMP_CWORD]}
  local command=() subcommands='' options='' help='' before
  # The first round reads the help of the program itself, later ones that of the subcommand before.
  for before in '' "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $before ]]; then
      grep -qxF -e "$before" <<<"$subcommands" || continue
      command+=("$before")
    fi
    help=$("$program" "${command[@]}" --help 2>/dev/null)
    subcommands=$(sed -n '/^\(Prepare\|Run\|Evaluate\|Check\|Subcommands\):/I,/^$/ s/^  \([a-z]\+\) .*/\1/p' <<<"$help")
    options=$(grep -oE '^  -[-a-z]+(, ?-[-a-z]+)*' <<<"$help")
  done
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${options//,/ }" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$subcommands" -- "$word")
  fi
}
complete -o bashdefault -o default -F _regroup regroup
