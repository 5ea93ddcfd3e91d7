// What all sessions used, and what that is likely to cost.
import { calendarDay, usageBy, usageReport } from '@roost/protocol/api/usage';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { StoredRecord } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const day = calendarDay.meta({ description: "A day of the runner's calendar; it is part of the answer." });

export function usageRoute(record: StoredRecord): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/api/v1/usage',
			access: 'any',
			summary: 'Tokens and estimated cost by day, project, agent, model or session',
			status: 200,
			params: nothing,
			query: z.strictObject({ by: usageBy.default('day'), since: day.optional(), until: day.optional() }),
			body: noBody,
			reply: usageReport,
		},
		({ query }) => {
			const report = record.usage(query);
			return report.ok ? ok(jsonReply(report.value)) : report;
		},
	);
}
