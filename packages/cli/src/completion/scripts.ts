// Completion scripts for each shell; they call roost for the candidates.

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Called with the words after "roost"; prints one candidate per line, a tab and its help. */
export const COMPLETE_COMMAND = '__complete';

/** `launcher`: absolute path of the program to call. */
export function completionScript(shell: Shell, launcher: string): string {
	return SCRIPTS[shell](`'${launcher.replaceAll("'", `'\\''`)}' ${COMPLETE_COMMAND} --`);
}

const HEAD = '# Completions for roost, written by "roost install" and removed by "roost uninstall".';

const SCRIPTS: Record<Shell, (ask: string) => string> = {
	bash: (ask) => `${HEAD}
_roost() {
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY+=("\${line%%$'\\t'*}")
	done < <(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _roost roost
`,
	zsh: (ask) => `#compdef roost
${HEAD}
_roost() {
	local line
	local -a candidates
	while IFS= read -r line; do
		candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
	done < <(${ask} "\${(@)words[2,CURRENT]}" 2>/dev/null)
	if (( \${#candidates} )); then
		_describe 'roost' candidates
	else
		_files
	fi
}
if [[ \${funcstack[1]} == _roost ]]; then
	_roost "$@"
else
	compdef _roost roost
fi
`,
	fish: (ask) => `${HEAD}
function __roost_candidates
	set -l words (commandline -opc) (commandline -ct)
	set -l candidates (${ask} $words[2..-1] 2>/dev/null)
	if test (count $candidates) -gt 0
		printf '%s\\n' $candidates
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c roost -f -a '(__roost_candidates)'
`,
};
