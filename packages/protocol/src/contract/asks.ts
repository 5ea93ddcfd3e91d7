// Pending requests of agents, and the answers to them. The first answer wins; a later one gets 409 with the winner.
import { z } from 'zod';
import { answerBody, approveBody, approvedAsk } from '../api/answers.ts';
import { askDetail } from '../api/asks.ts';
import { askRow } from '../ask.ts';
import { askId, sessionId } from '../ids.ts';
import { API, defineOperation, yesOrNo } from './operation.ts';

const decide = {
	method: 'POST',
	needs: 'approve',
	from: 'machine',
	command: true,
	params: z.strictObject({ id: sessionId }),
} as const;

export const asks = {
	list: defineOperation({
		method: 'GET',
		path: `${API}/asks`,
		needs: 'view',
		from: 'record',
		summary: 'Pending requests, oldest first; with all=true also recent decisions',
		query: z.strictObject({ all: yesOrNo.optional() }),
		reply: z.array(askRow),
	}),
	show: defineOperation({
		method: 'GET',
		path: `${API}/asks/:askId`,
		needs: 'view',
		from: 'machine',
		summary: 'One request; a pending one that writes a file comes with the current file, redacted',
		params: z.strictObject({ askId }),
		reply: askDetail,
	}),
	approve: defineOperation({
		...decide,
		path: `${API}/sessions/:id/approve`,
		summary: 'Allow or deny a request, and make rules of it with persist; 409 names who was first',
		body: approveBody,
		reply: approvedAsk,
	}),
	answer: defineOperation({
		...decide,
		path: `${API}/sessions/:id/answer`,
		summary: 'Answer a question; 409 names who was first',
		body: answerBody,
		reply: askRow,
	}),
} as const;
