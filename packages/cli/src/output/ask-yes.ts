// Whether a user is at the terminal, and asking for confirmation.
import { createInterface } from 'node:readline/promises';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** `otherwise` is why nothing is done where nobody can be asked. Leaving without an answer is a no. */
export async function askYes(
	question: string,
	options: { json?: boolean | undefined; otherwise: string },
): Promise<Result<boolean>> {
	if (options.json || !process.stdin.isTTY || !process.stdout.isTTY) return err(new AppError('usage', options.otherwise));
	using terminal = createInterface({ input: process.stdin, output: process.stdout });
	const ended = new AbortController();
	terminal.once('close', () => ended.abort());
	try {
		return ok(/^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: ended.signal })).trim()));
	} catch (cause) {
		if (ended.signal.aborted) return ok(false);
		throw cause;
	}
}

export function isTerminal({ stdin, stdout, env }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'>): boolean {
	return stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb';
}
