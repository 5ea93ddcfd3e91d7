// Sessions that Roost drives, and the prompts that wait for their agents. Every command is carried out once for each id.
import {
	adjustBody,
	commandBody,
	commandId,
	createSessionBody,
	drivenSession,
	forkBody,
	messageBody,
	modeBody,
	modelNames,
	moveBody,
	promptTaken,
	queuedPrompt,
} from '@roost/protocol/api/driving';
import { promptId, sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { CourseDesk, DrivingDesk, PromptBook } from '../backend.ts';
import type { Once } from '../once.ts';
import { jsonReply, type Reply, toReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export type DrivingDeps = { driving: DrivingDesk; course: CourseDesk; prompts: PromptBook; once: Once<Reply> };

export function drivingRoutes(deps: DrivingDeps): Route[] {
	return [
		createRoute(deps),
		messageRoute(deps),
		forkRoute(deps),
		modeRoute(deps),
		adjustRoute(deps),
		modelsRoute(deps),
		...COMMANDS.map((command) => commandRoute(deps, command)),
		...queueRoutes(deps),
	];
}

const ofSession = z.strictObject({ id: sessionId });
const ofPrompt = z.strictObject({ id: sessionId, promptId });
const shape = { access: 'any', status: 200, params: ofSession, query: nothing } as const;

function createRoute({ driving, once }: DrivingDeps): Route {
	return defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/sessions',
			summary: 'Start a session that Roost drives',
			status: 201,
			params: nothing,
			takesPrompt: true,
			body: createSessionBody,
			reply: drivenSession,
		},
		({ body: { commandId: id, ...body } }) =>
			once.run(id, ['create', body], async () => toReply(await driving.create(body), 201)),
	);
}

function messageRoute({ driving, once }: DrivingDeps): Route {
	return defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/sessions/:id/messages',
			summary: 'Prompt its agent; while it is busy the prompt waits. 409 says why a session takes no prompts',
			takesPrompt: true,
			body: messageBody,
			reply: promptTaken,
		},
		({ params: { id }, body }) =>
			once.run(body.commandId, ['message', id, body.text], async () => toReply(await driving.message(id, body.text))),
	);
}

const COMMANDS = [
	{ name: 'interrupt', summary: 'Stop what its agent is doing; the agent stays' },
	{ name: 'resume', summary: 'Go on with a past session' },
	{ name: 'end', summary: 'End its agent, and with it the session' },
] as const;

function forkRoute({ course, once }: DrivingDeps): Route {
	return defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/sessions/:id/fork',
			summary: 'Go on with a copy of it, or of its first part, as a session of its own',
			body: forkBody,
			reply: drivenSession,
		},
		({ params: { id }, body: { commandId: command, upTo } }) =>
			once.run(command, ['fork', id, upTo], async () => toReply(await course.fork(id, upTo))),
	);
}

function modeRoute({ course, once }: DrivingDeps): Route {
	return defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/sessions/:id/mode',
			summary: 'Move it into a terminal (pty), or back into the hands of Roost (sdk): the conversation is the same',
			body: modeBody,
			reply: drivenSession,
		},
		({ params: { id }, body: { commandId: command, mode, recording } }) =>
			once.run(command, ['mode', id, mode, recording], async () => toReply(await course.switchMode(id, mode, recording))),
	);
}

function adjustRoute({ course, once }: DrivingDeps): Route {
	return defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/sessions/:id/settings',
			summary: 'Give it another model or permission mode, from now on',
			body: adjustBody,
			reply: drivenSession,
		},
		({ params: { id }, body: { commandId: command, ...adjustment } }) =>
			once.run(command, ['adjust', id, adjustment], async () => toReply(await course.adjust(id, adjustment))),
	);
}

function modelsRoute({ course }: DrivingDeps): Route {
	return defineRoute(
		{
			...shape,
			method: 'GET',
			path: '/api/v1/sessions/:id/models',
			summary: 'The models that its agent offers; none where it does not tell, or is gone',
			body: noBody,
			reply: modelNames,
		},
		async ({ params: { id } }) => toReply(await course.models(id)),
	);
}

function commandRoute({ driving, once }: DrivingDeps, { name, summary }: (typeof COMMANDS)[number]): Route {
	return defineRoute(
		{ ...shape, method: 'POST', path: `/api/v1/sessions/:id/${name}`, summary, body: commandBody, reply: drivenSession },
		({ params: { id }, body }) => once.run(body.commandId, [name, id], async () => toReply(await driving[name](id))),
	);
}

function queueRoutes({ prompts, once }: DrivingDeps): Route[] {
	const path = '/api/v1/sessions/:id/queue';
	const list = defineRoute(
		{ ...shape, method: 'GET', path, summary: 'Prompts that wait for its agent', body: noBody, reply: z.array(queuedPrompt) },
		({ params }) => ok(jsonReply(prompts.list(params.id))),
	);
	const edit = defineRoute(
		{
			...shape,
			method: 'PATCH',
			path: `${path}/:promptId`,
			summary: 'Change a prompt that waits',
			params: ofPrompt,
			takesPrompt: true,
			body: messageBody,
			reply: queuedPrompt,
		},
		({ params, body: { commandId: id, text } }) =>
			once.run(id, ['edit', params, text], async () => toReply(await prompts.edit(params.id, params.promptId, text))),
	);
	const cancel = defineRoute(
		{
			...shape,
			method: 'DELETE',
			path: `${path}/:promptId`,
			summary: 'Take back a prompt that waits',
			params: ofPrompt,
			query: z.strictObject({ commandId }),
			body: noBody,
			reply: nothing,
		},
		({ params, query }) =>
			once.run(query.commandId, ['cancel', params], async () => toReply(await prompts.cancel(params.id, params.promptId))),
	);
	const move = defineRoute(
		{
			...shape,
			method: 'POST',
			path: `${path}/:promptId/move`,
			summary: 'Give a prompt that waits another place among them',
			params: ofPrompt,
			body: moveBody,
			reply: nothing,
		},
		({ params, body: { commandId: id, to } }) =>
			once.run(id, ['move', params, to], async () => toReply(await prompts.move(params.id, params.promptId, to))),
	);
	const now = defineRoute(
		{
			...shape,
			method: 'POST',
			path: `${path}/:promptId/now`,
			summary: 'Send a prompt that waits into the run that is under way',
			params: ofPrompt,
			body: commandBody,
			reply: nothing,
		},
		({ params, body: { commandId: id } }) =>
			once.run(id, ['now', params], async () => toReply(await prompts.sendNow(params.id, params.promptId))),
	);
	return [list, edit, cancel, move, now];
}
