// How commands over Claude's own command line talk: its words as they are, made safe to show, and bad input in one sentence.
import { sanitiseBlock } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { write } from './write.ts';

type Options = { json?: boolean | undefined };

/** What was typed is not repeated: it may be a secret. */
export function badInput(issues: readonly { path: readonly PropertyKey[]; message: string }[]): AppError {
	const [issue] = issues;
	const field = issue?.path[0];
	return new AppError(
		'usage',
		`${field === undefined ? '' : `${String(field)}: `}${issue?.message ?? 'expected something else'}.`,
	);
}

export async function sayDone(done: { output: string }, options: Options): Promise<void> {
	await say(options.json ? JSON.stringify(done) : sanitiseBlock(done.output));
}

export async function sayUnread(unread: string): Promise<void> {
	if (unread !== '') await say(`\nClaude also said:\n${sanitiseBlock(unread)}`);
}

export async function say(text: string): Promise<void> {
	await write(process.stdout, [text]);
}
