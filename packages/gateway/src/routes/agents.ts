// The agents on the machine, and what Roost can do with each.
import { agentRow } from '@roost/protocol/api/agents';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { AgentDesk } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function agentRoutes(agents: AgentDesk): Route[] {
	return [
		defineRoute(
			{
				method: 'GET',
				path: '/api/v1/agents',
				summary: 'The agents that Roost knows: which are here, in which version, and what can be done with each',
				access: 'any',
				status: 200,
				params: nothing,
				query: nothing,
				body: noBody,
				reply: z.array(agentRow),
			},
			async () => ok(jsonReply([...(await agents.list())])),
		),
	];
}
