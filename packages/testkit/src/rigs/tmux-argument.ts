// The two places where tmux reads more into an argument than a program should: command separators and target names.

/** tmux takes a final `;` of any argument for a separator of commands, unless a backslash stands before it. */
export function toTmuxArgument(text: string): string {
	return text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text;
}

/** `=` asks for exactly this session, where tmux would else take any that begins so; an empty name would mean any session. */
export function toTmuxTarget(name: string): string {
	if (!/^[a-z0-9-]{1,32}$/.test(name))
		throw new Error(`not a session name (a-z, 0-9 and -, at most 32): ${JSON.stringify(name)}`);
	return `=${name}:`;
}
