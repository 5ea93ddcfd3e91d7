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
import { API, defineOperation, nothing } from './operation.ts';

const path = `${API}/sessions`;
const params = z.strictObject({ id: sessionId });
const command = { method: 'POST', needs: 'operate', from: 'machine', command: true } as const;

export const sessions = {
	create: defineOperation({
		...command,
		path,
		summary: 'Start a session',
		status: 201,
		takesPrompt: true,
		body: createSessionBody,
		reply: drivenSession,
	}),
	message: defineOperation({
		...command,
		path: `${path}/:id/messages`,
		summary: 'Send a prompt; queued while the agent is busy. 409 says why a session takes no prompts',
		takesPrompt: true,
		params,
		body: messageBody,
		reply: promptTaken,
	}),
	interrupt: defineOperation({
		...command,
		path: `${path}/:id/interrupt`,
		summary: 'Interrupt the current run; the agent stays',
		params,
		body: commandBody,
		reply: drivenSession,
	}),
	resume: defineOperation({
		...command,
		path: `${path}/:id/resume`,
		summary: 'Resume a past session',
		params,
		body: commandBody,
		reply: drivenSession,
	}),
	end: defineOperation({
		...command,
		path: `${path}/:id/end`,
		summary: 'End the agent and its session',
		params,
		body: commandBody,
		reply: drivenSession,
	}),
	fork: defineOperation({
		...command,
		path: `${path}/:id/fork`,
		summary: 'Fork the session, or its first part, into a new session',
		params,
		body: forkBody,
		reply: drivenSession,
	}),
	rename: defineOperation({
		...command,
		path: `${path}/:id/rename`,
		summary: 'Rename a session',
		params,
		body: renameBody,
		reply: drivenSession,
	}),
	archive: defineOperation({
		...command,
		path: `${path}/:id/archive`,
		summary: 'Archive a session, or restore it',
		params,
		body: archiveBody,
		reply: drivenSession,
	}),
} as const;

export const settings = {
	models: defineOperation({
		method: 'GET',
		path: `${path}/:id/models`,
		needs: 'view',
		from: 'machine',
		summary: 'The models that its agent offers; none where it does not say, or has exited',
		params,
		reply: modelNames,
	}),
	change: defineOperation({
		...command,
		path: `${path}/:id/settings`,
		summary: 'Change the model or permission mode, from now on',
		params,
		body: adjustBody,
		reply: drivenSession,
	}),
	switchMode: defineOperation({
		...command,
		path: `${path}/:id/mode`,
		summary: 'Move it into a terminal (pty), or back under Roost (sdk); the conversation stays the same',
		params,
		body: modeBody,
		reply: drivenSession,
	}),
} as const;

const queuePath = `${path}/:id/queue`;
const ofPrompt = z.strictObject({ id: sessionId, promptId });

export const queue = {
	list: defineOperation({
		method: 'GET',
		path: queuePath,
		needs: 'view',
		from: 'record',
		summary: 'List queued prompts',
		params,
		reply: z.array(queuedPrompt).readonly(),
	}),
	edit: defineOperation({
		...command,
		method: 'PATCH',
		path: `${queuePath}/:promptId`,
		summary: 'Edit a queued prompt',
		takesPrompt: true,
		params: ofPrompt,
		body: messageBody,
		reply: queuedPrompt,
	}),
	cancel: defineOperation({
		...command,
		method: 'DELETE',
		path: `${queuePath}/:promptId`,
		summary: 'Cancel a queued prompt',
		params: ofPrompt,
		query: z.strictObject({ commandId }),
		reply: nothing,
	}),
	move: defineOperation({
		...command,
		path: `${queuePath}/:promptId/move`,
		summary: 'Move a queued prompt',
		params: ofPrompt,
		body: moveBody,
		reply: nothing,
	}),
	sendNow: defineOperation({
		...command,
		path: `${queuePath}/:promptId/now`,
		summary: 'Send a queued prompt into the current run',
		params: ofPrompt,
		body: commandBody,
		reply: nothing,
	}),
} as const;
