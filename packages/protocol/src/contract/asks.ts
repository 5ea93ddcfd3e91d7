// Pending requests of agents, and the answers to them. The first answer wins; a later one gets 409 with the winner.
import { z } from 'zod';
import { answerBody, approveBody, approvedAsk } from '../api/answers.ts';
import { askDetail } from '../api/asks.ts';
import { askRow } from '../ask.ts';
import { askId, sessionId } from '../ids.ts';
import { operation, yesOrNo } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'record' } as const;
const decide = { method: 'POST', needs: 'approve', from: 'machine', command: true } as const;
const params = z.strictObject({ id: sessionId });

export const asks = {
	list: operation(read, '/asks', 'Pending requests, oldest first; with all=true also recent decisions', {
		query: z.strictObject({ all: yesOrNo.optional() }),
		reply: z.array(askRow),
	}),
	show: operation(
		{ ...read, from: 'machine' },
		'/asks/:askId',
		'One request; a pending one that writes a file comes with the current file, redacted',
		{ params: z.strictObject({ askId }), reply: askDetail },
	),
	approve: operation(
		decide,
		'/sessions/:id/approve',
		'Allow or deny a request, and make rules of it with persist; 409 names who was first',
		{ params, body: approveBody, reply: approvedAsk },
	),
	answer: operation(decide, '/sessions/:id/answer', 'Answer a question; 409 names who was first', {
		params,
		body: answerBody,
		reply: askRow,
	}),
} as const;
