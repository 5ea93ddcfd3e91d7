// Whether a user is at the terminal, and asking for confirmation.
import { createInterface } from 'node:readline/promises';
import { AppError } from '@roost/protocol/app-error';
import { EXIT } from './exit.ts';

/** `otherwise`: the error where no user can be asked. Leaving without an answer is a no. */
export async function askYes(question: string, options: { json?: boolean | undefined; otherwise: string }): Promise<boolean> {
	if (options.json || !process.stdin.isTTY || !process.stdout.isTTY) throw new AppError('usage', options.otherwise);
	using terminal = createInterface({ input: process.stdin, output: process.stdout });
	const ended = new AbortController();
	terminal.once('close', () => ended.abort());
	try {
		return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: ended.signal })).trim());
	} catch (cause) {
		if (ended.signal.aborted) return false;
		throw cause;
	}
}

export function isTerminal({ stdin, stdout, env }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'>): boolean {
	return stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb';
}

/** Asks before something is changed; a no is a failure. */
export async function confirmChange(
	question: string,
	options: { json?: boolean | undefined; otherwise: string },
): Promise<boolean> {
	const agreed = await askYes(question, options);
	if (agreed) return true;
	process.stdout.write('Nothing was changed.\n');
	process.exitCode = EXIT.failed;
	return false;
}
