// Whether the terminal UI can be shown: moving a cursor takes a terminal, and keys take one too.

export function isTerminal({ stdin, stdout, env }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'>): boolean {
	return stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb';
}
