// What changed in the folder of a session, and a review of it as one prompt.
import { z } from 'zod';
import { changes as changesReply, fileDiff, reviewBody } from '../api/changes.ts';
import { promptTaken } from '../api/driving.ts';
import { since } from '../feed/review.ts';
import { sessionId } from '../ids.ts';
import { operation, pageSize, wholeNumber } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const params = z.strictObject({ id: sessionId });

export const changes = {
	list: operation(read, '/sessions/:id/changes', 'Changed files in the folder of a session, with those that git does not track', {
		params,
		query: z.strictObject({ since: since.default('start') }),
		reply: changesReply,
	}),
	file: operation(read, '/sessions/:id/changes/file', 'A page of the diff of one file, redacted; 409 if the list is outdated', {
		params,
		query: z.strictObject({
			changes: z
				.string()
				.regex(/^[0-9a-f.]{1,200}$/, 'expected the id of a list')
				.meta({ description: 'The id of the list that names the file.' }),
			path: z.string().min(1).max(4_096),
			from: wholeNumber.default(0),
			limit: pageSize.default(500),
		}),
		reply: fileDiff,
	}),
	review: operation(
		{ method: 'POST', needs: 'operate', from: 'machine', command: true, takesPrompt: true },
		'/sessions/:id/review',
		'Send comments on lines as one prompt; 409 names lines that changed since, and sends nothing',
		{ params, body: reviewBody, reply: promptTaken },
	),
} as const;
