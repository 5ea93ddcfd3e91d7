// Projects on the machine: found, looked for again, and the past sessions of each, to be read and not recorded.
import { foundProjectId, nativeSessionId, pastEventsPage, pastSessionList, projectList } from '@roost/protocol/api/projects';
import { ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { ProjectDesk } from '../backend.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const wholeNumber = z
	.string()
	.regex(/^\d{1,15}$/, 'expected a whole number')
	.transform(Number);
const pageSize = wholeNumber.refine((limit) => limit >= 1 && limit <= 1_000, 'expected 1 to 1000');

const shape = { method: 'GET', access: 'any', status: 200, params: nothing, query: nothing, body: noBody } as const;

export function projectRoutes(projects: ProjectDesk): Route[] {
	const list = defineRoute(
		{ ...shape, path: '/api/v1/projects', summary: 'The projects on this machine, as they were found last', reply: projectList },
		() => ok(jsonReply(projects.list())),
	);
	const scan = defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/projects/scan',
			decides: false,
			summary: 'Look for projects again; GET /projects tells how far it is. One look at a time',
			status: 202,
			reply: projectList,
		},
		() => ok(jsonReply(projects.scan(), 202)),
	);
	const sessions = defineRoute(
		{
			...shape,
			path: '/api/v1/projects/:id/sessions',
			summary: 'Past sessions of a project, the latest first',
			params: z.strictObject({ id: foundProjectId }),
			reply: pastSessionList,
		},
		async ({ params }) => toReply(await projects.pastSessions(params.id)),
	);
	const events = defineRoute(
		{
			...shape,
			path: '/api/v1/projects/:id/sessions/:nativeId/events',
			summary: 'A past session as a feed, after an offset; nothing is recorded by looking',
			params: z.strictObject({ id: foundProjectId, nativeId: nativeSessionId }),
			query: z.strictObject({ after: wholeNumber.default(0), limit: pageSize.default(500) }),
			reply: pastEventsPage,
		},
		async ({ params, query }) => toReply(await projects.pastEvents(params.id, params.nativeId, query)),
	);
	return [list, scan, sessions, events];
}

function toReply(result: Result<unknown>): Result<Reply> {
	return result.ok ? ok(jsonReply(result.value)) : result;
}
