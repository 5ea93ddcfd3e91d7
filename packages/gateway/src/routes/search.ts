// Words in every session that is recorded.
import { MOST_HITS, searchFound } from '@roost/protocol/api/search';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { StoredRecord } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const LONGEST_WORDS = 1_000;

const limit = z
	.string()
	.regex(/^\d{1,4}$/, 'expected a whole number')
	.transform(Number)
	.refine((count) => count >= 1 && count <= MOST_HITS, `expected 1 to ${MOST_HITS}`);

export function searchRoute(record: StoredRecord): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/api/v1/search',
			access: 'any',
			summary: 'Events of all sessions that have these words, the newest first',
			status: 200,
			params: nothing,
			query: z.strictObject({ words: z.string().min(1).max(LONGEST_WORDS), limit: limit.default(50) }),
			body: noBody,
			reply: searchFound,
		},
		({ query }) => {
			const found = record.search(query);
			return found.ok ? ok(jsonReply(found.value)) : found;
		},
	);
}
