// Standing rules: listed, added, removed, and tried on calls.
import { z } from 'zod';
import { ruleBody, ruleHistory, ruleHistoryBody, ruleTestBody, ruleTestResult } from '../api/rules.ts';
import { ruleId } from '../ids.ts';
import { rule } from '../rule.ts';
import { API, defineOperation, nothing } from './operation.ts';

const path = `${API}/rules`;
const change = { needs: 'own', from: 'machine' } as const;
const look = { method: 'POST', needs: 'view', from: 'machine', agentsMay: true } as const;

export const rules = {
	list: defineOperation({
		method: 'GET',
		path,
		needs: 'view',
		from: 'machine',
		summary: 'List rules',
		reply: z.array(rule),
	}),
	add: defineOperation({ ...change, method: 'POST', path, summary: 'Add a rule', status: 201, body: ruleBody, reply: rule }),
	remove: defineOperation({
		...change,
		method: 'DELETE',
		path: `${path}/:id`,
		summary: 'Remove a rule',
		params: z.strictObject({ id: ruleId }),
		reply: nothing,
	}),
	test: defineOperation({
		...look,
		path: `${path}/test`,
		summary: 'What the rules decide for a call, and which rule decides',
		body: ruleTestBody,
		reply: ruleTestResult,
	}),
	history: defineOperation({
		...look,
		path: `${path}/history`,
		summary: 'Which past calls a rule would have matched, and what it would have changed',
		body: ruleHistoryBody,
		reply: ruleHistory,
	}),
} as const;
