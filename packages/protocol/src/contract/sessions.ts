// Sessions that Roost drives, their settings, and the prompts in their queues.
import { z } from 'zod';
import {
	adjustBody,
	archiveBody,
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
	renameBody,
} from '../api/driving.ts';
import { promptId, sessionId } from '../ids.ts';
import { nothing, operation } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const command = { method: 'POST', needs: 'operate', from: 'machine', command: true } as const;
const prompting = { ...command, takesPrompt: true } as const;
const params = z.strictObject({ id: sessionId });

const onSession = <B extends z.ZodType>(action: string, summary: string, body: B) =>
	operation(command, `/sessions/:id/${action}`, summary, { params, body, reply: drivenSession });

export const sessions = {
	create: operation({ ...prompting, status: 201 }, '/sessions', 'Start a session', {
		body: createSessionBody,
		reply: drivenSession,
	}),
	message: operation(
		prompting,
		'/sessions/:id/messages',
		'Send a prompt; queued while the agent is busy. 409 says why a session takes no prompts',
		{ params, body: messageBody, reply: promptTaken },
	),
	interrupt: onSession('interrupt', 'Interrupt the current run; the agent stays', commandBody),
	resume: onSession('resume', 'Resume a past session', commandBody),
	end: onSession('end', 'End the agent and its session', commandBody),
	fork: onSession('fork', 'Fork the session, or its first part, into a new session', forkBody),
	rename: onSession('rename', 'Rename a session', renameBody),
	archive: onSession('archive', 'Archive a session, or restore it', archiveBody),
} as const;

export const settings = {
	models: operation(read, '/sessions/:id/models', 'Models that its agent offers; none if it does not report them or has exited', {
		params,
		reply: modelNames,
	}),
	change: onSession('settings', 'Change the model or permission mode, from now on', adjustBody),
	switchMode: onSession('mode', 'Move it into a terminal (pty), or back under Roost (sdk); the conversation continues', modeBody),
} as const;

const ofPrompt = z.strictObject({ id: sessionId, promptId });
const promptPath = '/sessions/:id/queue/:promptId';

export const queue = {
	list: operation({ ...read, from: 'record' }, '/sessions/:id/queue', 'List queued prompts', {
		params,
		reply: z.array(queuedPrompt).readonly(),
	}),
	edit: operation({ ...prompting, method: 'PATCH' }, promptPath, 'Edit a queued prompt', {
		params: ofPrompt,
		body: messageBody,
		reply: queuedPrompt,
	}),
	cancel: operation({ ...command, method: 'DELETE' }, promptPath, 'Cancel a queued prompt', {
		params: ofPrompt,
		query: z.strictObject({ commandId }),
		reply: nothing,
	}),
	move: operation(command, `${promptPath}/move`, 'Move a queued prompt', { params: ofPrompt, body: moveBody, reply: nothing }),
	sendNow: operation(command, `${promptPath}/now`, 'Send a queued prompt into the current run', {
		params: ofPrompt,
		body: commandBody,
		reply: nothing,
	}),
} as const;
