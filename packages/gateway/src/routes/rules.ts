// Standing rules: listed, added, removed, and tried out before they count.
import { ruleBody, ruleHistory, ruleHistoryBody, ruleTestBody, ruleTestResult } from '@roost/protocol/api/rules';
import { ruleId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { rule } from '@roost/protocol/rule';
import { z } from 'zod';
import type { RuleBook } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function ruleRoutes(rules: RuleBook): Route[] {
	const shape = { path: '/api/v1/rules', access: 'any', status: 200, params: nothing, query: nothing } as const;
	const list = defineRoute({ ...shape, method: 'GET', summary: 'The rules that hold', body: noBody, reply: z.array(rule) }, () =>
		ok(jsonReply(rules.list())),
	);
	const add = defineRoute(
		{ ...shape, method: 'POST', summary: 'Add a rule', status: 201, body: ruleBody, reply: rule },
		async ({ body, caller }) => {
			const added = await rules.add(body, caller.principal);
			return added.ok ? ok(jsonReply(added.value, 201)) : added;
		},
	);
	const remove = defineRoute(
		{
			...shape,
			method: 'DELETE',
			path: '/api/v1/rules/:id',
			summary: 'Remove a rule',
			params: z.strictObject({ id: ruleId }),
			body: noBody,
			reply: nothing,
		},
		async ({ params, caller }) => {
			const removed = await rules.remove(params.id, caller.principal);
			return removed.ok ? ok(jsonReply({})) : removed;
		},
	);
	const test = defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/rules/test',
			decides: false,
			summary: 'What the rules would say to a call, and which one says it',
			body: ruleTestBody,
			reply: ruleTestResult,
		},
		({ body }) => {
			const tested = rules.test(body);
			return tested.ok ? ok(jsonReply(tested.value)) : tested;
		},
	);
	const history = defineRoute(
		{
			...shape,
			method: 'POST',
			path: '/api/v1/rules/history',
			decides: false,
			summary: 'Which past calls a rule would have matched, and what it would have changed',
			body: ruleHistoryBody,
			reply: ruleHistory,
		},
		async ({ body }) => {
			const found = await rules.history(body);
			return found.ok ? ok(jsonReply(found.value)) : found;
		},
	);
	return [list, add, remove, test, history];
}
