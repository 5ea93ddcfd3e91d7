// Launches of observed agents: opened before the agent starts, ended when it is gone.
import { deciderBody, deciderJudged } from '@roost/protocol/api/deciders';
import { launchBody, launchDescribed, launchEnded, launchOpened } from '@roost/protocol/api/launches';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { LaunchDesk } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function launchRoutes(launches: LaunchDesk): Route[] {
	// The reply holds a secret that a page has no use for: only the token opens a launch.
	// An agent may start another one through Roost; what it decides is judged where it decides.
	const shape = { method: 'POST', access: 'token', decides: false, query: nothing } as const;
	const open = defineRoute(
		{
			...shape,
			path: '/api/v1/launches',
			summary: 'Open a launch and get what its hooks need',
			status: 201,
			params: nothing,
			body: launchBody,
			reply: launchOpened,
		},
		async ({ body }) => {
			const opened = await launches.open(body);
			return opened.ok ? ok(jsonReply(opened.value, 201)) : opened;
		},
	);
	const describe = defineRoute(
		{
			...shape,
			method: 'GET',
			path: '/api/v1/launches/:id',
			summary: 'The session that a launch reports for',
			status: 200,
			params: z.strictObject({ id: z.string().min(1) }),
			body: noBody,
			reply: launchDescribed,
		},
		({ params }) => {
			const described = launches.describe(params.id);
			return described.ok ? ok(jsonReply(described.value)) : described;
		},
	);
	const end = defineRoute(
		{
			...shape,
			path: '/api/v1/launches/:id/end',
			summary: 'End a launch',
			status: 200,
			params: z.strictObject({ id: z.string().min(1) }),
			body: noBody,
			reply: launchEnded,
		},
		async ({ params }) => {
			const ended = await launches.end(params.id);
			return ended.ok ? ok(jsonReply(ended.value)) : ended;
		},
	);
	const judge = defineRoute(
		{
			...shape,
			path: '/api/v1/launches/decider',
			summary: 'Whether a process that wants to decide belongs to an agent; its attempt goes on record',
			status: 200,
			params: nothing,
			body: deciderBody,
			reply: deciderJudged,
		},
		async ({ body }) => {
			const judged = await launches.judge(body);
			return judged.ok ? ok(jsonReply(judged.value)) : judged;
		},
	);
	return [open, describe, end, judge];
}
