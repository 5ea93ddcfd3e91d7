// The agents on the machine, what Roost can do with each, and whether they are guarded there.
import { agentRow, proveAgentsBody } from '@roost/protocol/api/agents';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { AgentDesk } from '../backend.ts';
import type { CommandBoard } from '../command-board.ts';
import type { Once } from '../once.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export type AgentRouteDeps = { agents: AgentDesk; once: Once<Reply>; board: CommandBoard };

const path = '/api/v1/agents';
const shape = { access: 'any', status: 200, params: nothing, query: nothing, reply: z.array(agentRow) } as const;

export function agentRoutes({ agents, once, board }: AgentRouteDeps): Route[] {
	const list = defineRoute(
		{
			...shape,
			method: 'GET',
			path,
			summary: 'The agents that Roost knows: which are here, in which version, and what can be done with each',
			body: noBody,
		},
		async () => ok(jsonReply([...(await agents.list())])),
	);
	const prove = defineRoute(
		{
			...shape,
			method: 'POST',
			path: `${path}/prove`,
			summary: 'Prove the guards of the agents that are here: each is started once, which takes seconds',
			body: proveAgentsBody,
		},
		({ body: { commandId: id, ...body } }) =>
			once.run(id, ['prove agents', body], async () =>
				ok(jsonReply([...(await board.run(id, (tell) => agents.prove(body, tell)))])),
			),
	);
	return [list, prove];
}
