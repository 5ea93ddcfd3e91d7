// What is recorded: the sessions, and the stored lines of each.
import { type SessionDetail, sessionDetail } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { projectId, sessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { sessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { z } from 'zod';
import type { Backend, StoredRecord } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const wholeNumber = z
	.string()
	.regex(/^\d{1,15}$/, 'expected a whole number')
	.transform(Number);
const pageSize = wholeNumber.refine((limit) => limit >= 1 && limit <= 1_000, 'expected 1 to 1000');
const ofSession = z.strictObject({ id: sessionId });

export function sessionRoutes({ record, driving, statusOf }: Pick<Backend, 'record' | 'driving' | 'statusOf'>): Route[] {
	const shape = { method: 'GET', access: 'any', status: 200, params: ofSession, query: nothing, body: noBody } as const;
	const list = defineRoute(
		{
			...shape,
			path: '/api/v1/sessions',
			summary: 'The sessions, as a list shows them',
			params: nothing,
			query: z.strictObject({ projectId: projectId.optional() }),
			reply: z.array(sessionRow),
		},
		({ query }) => {
			const rows = record.sessions(query);
			return rows.ok ? ok(jsonReply(rows.value)) : rows;
		},
	);
	const one = defineRoute(
		{
			...shape,
			path: '/api/v1/sessions/:id',
			summary: 'One session, what its agent does right now, and whether it takes prompts',
			reply: sessionDetail,
		},
		async ({ params }) => {
			const rows = record.sessions({ id: params.id });
			if (!rows.ok) return rows;
			const [row] = rows.value;
			if (!row) return err(noSession());
			const detail: SessionDetail = { ...row, driving: driving.describe(row), agentStatus: await statusOf(row) };
			return ok(jsonReply(detail));
		},
	);
	return [list, one, eventsRoute(record)];
}

function eventsRoute(record: StoredRecord): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/api/v1/sessions/:id/events',
			access: 'any',
			summary: 'Stored lines of a session after an offset',
			status: 200,
			params: ofSession,
			query: z.strictObject({ after: wholeNumber.default(0), limit: pageSize.default(500) }),
			body: noBody,
			reply: z.array(storedLine),
		},
		({ params, query }) => {
			const page = record.read({ stream: sessionStream(params.id), ...query });
			if (!page.ok) return page;
			if (page.value.length === 0) {
				const known = record.sessions({ id: params.id });
				if (!known.ok) return known;
				if (known.value.length === 0) return err(noSession());
			}
			return ok({ status: 200, body: `[${page.value.map(({ line }) => line).join(',')}]` });
		},
	);
}

function noSession(): AppError {
	return new AppError('not_found', 'There is no such session: list them with GET /api/v1/sessions.');
}
