// roost sessions rename, archive: what people do to a session in their lists.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { renameBody } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { calledAs } from '../output/called-as.ts';
import { fail } from '../output/exit.ts';
import { onSession } from './on-session.ts';

type Options = { json?: boolean };

export async function renameSession(given: string, words: readonly string[], options: Options): Promise<void> {
	const title = renameBody.shape.title.safeParse(words.join(' ').trim());
	if (!title.success) return fail(new AppError('usage', 'A title must have 1 to 200 characters.'), options);
	await onSession(given, options, {
		command: ({ sessions }, { id }) => sessions.rename({ commandId: crypto.randomUUID(), id, title: title.data }),
		done: ({ sessionId: id }) => `${id} is now called "${sanitiseLine(title.data)}".`,
	});
}

export async function archiveSession(given: string, options: Options & { undo?: boolean }): Promise<void> {
	const archived = options.undo !== true;
	await onSession(given, options, {
		command: ({ sessions }, { id }) => sessions.archive({ commandId: crypto.randomUUID(), id, archived }),
		done: ({ sessionId: id }) =>
			archived
				? `${id} is put away: "${calledAs()} sessions --archived" shows it, "${calledAs()} sessions archive ${id} --undo" takes it out.`
				: `${id} is back among the sessions.`,
	});
}
