// What waits for somebody, and the answers to it.
import { answerBody, approveBody, approvedAsk } from '@roost/protocol/api/answers';
import { askDetail } from '@roost/protocol/api/asks';
import { askRow } from '@roost/protocol/ask';
import { askId, sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { AskDesk } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const yesOrNo = z.enum(['true', 'false', '1', '0']).transform((word) => word === 'true' || word === '1');

export function askRoutes(asks: AskDesk): Route[] {
	const decide = {
		method: 'POST',
		access: 'any',
		status: 200,
		params: z.strictObject({ id: sessionId }),
		query: nothing,
		reply: askRow,
	} as const;
	const list = defineRoute(
		{
			method: 'GET',
			path: '/api/v1/asks',
			access: 'any',
			summary: 'Pending asks, oldest first; with all=true the recently decided too',
			status: 200,
			params: nothing,
			query: z.strictObject({ all: yesOrNo.optional() }),
			body: noBody,
			reply: z.array(askRow),
		},
		({ query }) => ok(jsonReply(asks.list(query))),
	);
	const show = defineRoute(
		{
			method: 'GET',
			path: '/api/v1/asks/:askId',
			access: 'any',
			summary: 'One ask; a pending one that writes a file comes with the file as it is now, redacted',
			status: 200,
			params: z.strictObject({ askId }),
			query: nothing,
			body: noBody,
			reply: askDetail,
		},
		async ({ params }) => {
			const shown = await asks.show(params.askId);
			return shown.ok ? ok(jsonReply(shown.value)) : shown;
		},
	);
	const approve = defineRoute(
		{
			...decide,
			path: '/api/v1/sessions/:id/approve',
			summary: 'Allow or deny an ask, and make rules of it with persist; 409 names who was first',
			body: approveBody,
			reply: approvedAsk,
		},
		async ({ params, body, caller }) => {
			const decided = await asks.approve(params.id, body, caller.principal);
			return decided.ok ? ok(jsonReply(decided.value)) : decided;
		},
	);
	const answer = defineRoute(
		{ ...decide, path: '/api/v1/sessions/:id/answer', summary: 'Answer a question; 409 names who was first', body: answerBody },
		async ({ params, body, caller }) => {
			const decided = await asks.answer(params.id, body, caller.principal);
			return decided.ok ? ok(jsonReply(decided.value)) : decided;
		},
	);
	return [list, show, approve, answer];
}
