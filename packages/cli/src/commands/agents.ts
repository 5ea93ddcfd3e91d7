// roost agents: which coding agents are on this machine, and what Roost can do with each.
import type { ApiClient } from '@roost/client/api-client';
import type { AgentRow } from '@roost/protocol/api/agents';
import type { Result } from '@roost/protocol/result';
import { toAgentTable, toMatrix } from '../output/agent-tables.ts';
import { fail } from '../output/exit.ts';
import { say } from '../output/say.ts';
import { waitForCommand } from '../output/wait-for-command.ts';
import { connectOrStart } from '../runner/connect.ts';

type Options = { json?: boolean; matrix?: boolean; prove?: boolean };

export async function agents(options: Options): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const listed = await list(connected.value.api, options);
	if (!listed.ok) return fail(listed.error, options);
	const width = Math.max(process.stdout.columns ?? WIDTH, NARROWEST);
	say(options, listed.value, options.matrix ? toMatrix(listed.value, width) : toAgentTable(listed.value, width));
}

/** Each agent is started for its proof, so it says meanwhile how far it is. */
async function list({ agents: known, commands }: ApiClient, { prove, json }: Options): Promise<Result<readonly AgentRow[]>> {
	if (!prove) return await known.list();
	return await waitForCommand(commands, crypto.randomUUID(), { json }, (commandId) => known.prove({ commandId, again: true }));
}

const WIDTH = 80;
const NARROWEST = 40;
