// What people do to a session in their lists: give it a name, put it away, take it out again.
import { archiveBody, drivenSession, renameBody } from '@roost/protocol/api/driving';
import { sessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { SessionShelf } from '../backend.ts';
import type { Once } from '../once.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { defineRoute, nothing, type Route } from '../route.ts';

export function shelfRoutes({ shelf, once }: { shelf: SessionShelf; once: Once<Reply> }): Route[] {
	const shape = {
		method: 'POST',
		access: 'any',
		status: 200,
		params: z.strictObject({ id: sessionId }),
		query: nothing,
		reply: drivenSession,
	} as const;
	const rename = defineRoute(
		{ ...shape, path: '/api/v1/sessions/:id/rename', summary: 'Give a session another title', body: renameBody },
		({ params: { id }, body: { commandId, title } }) =>
			once.run(commandId, ['rename', id, title], async () => toReply(await shelf.rename(id, title))),
	);
	const archive = defineRoute(
		{ ...shape, path: '/api/v1/sessions/:id/archive', summary: 'Put a session away, or take it out again', body: archiveBody },
		({ params: { id }, body: { commandId, archived } }) =>
			once.run(commandId, ['archive', id, archived], async () => toReply(await shelf.archive(id, archived))),
	);
	return [rename, archive];
}

function toReply(result: Result<unknown>): Result<Reply> {
	return result.ok ? ok(jsonReply(result.value)) : result;
}
