// Where tmux reads more into an argument than a program should.

/** tmux takes a final `;` of any argument for a separator of commands, unless a backslash stands before it. */
export function toTmuxArgument(text: string): string {
	return text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text;
}
