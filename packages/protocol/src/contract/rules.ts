// Standing rules: listed, added, removed, and tested on calls.
import { z } from 'zod';
import { ruleBody, ruleHistory, ruleHistoryBody, ruleTestBody, ruleTestResult } from '../api/rules.ts';
import { ruleId } from '../ids.ts';
import { rule } from '../rule.ts';
import { nothing, operation } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const change = { method: 'POST', needs: 'own', from: 'machine' } as const;
const test = { ...read, method: 'POST', agentsMay: true } as const;

export const rules = {
	list: operation(read, '/rules', 'List rules', { reply: z.array(rule) }),
	add: operation({ ...change, status: 201 }, '/rules', 'Add a rule', { body: ruleBody, reply: rule }),
	remove: operation({ ...change, method: 'DELETE' }, '/rules/:id', 'Remove a rule', {
		params: z.strictObject({ id: ruleId }),
		reply: nothing,
	}),
	test: operation(test, '/rules/test', 'What the rules decide for a call, and which rule decides', {
		body: ruleTestBody,
		reply: ruleTestResult,
	}),
	history: operation(test, '/rules/history', 'Which past calls a rule would have matched, and what it would have changed', {
		body: ruleHistoryBody,
		reply: ruleHistory,
	}),
} as const;
