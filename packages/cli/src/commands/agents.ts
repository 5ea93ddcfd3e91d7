// roost agents: which coding agents are on this machine, and what Roost can do with each.
import { connectOrStart } from '../connect.ts';
import { toAgentTable, toMatrix } from '../output/agent-tables.ts';
import { fail } from '../output/exit.ts';
import { say } from '../output/say.ts';

export async function agents(options: { json?: boolean; matrix?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const listed = await connected.value.api.driving.agents();
	if (!listed.ok) return fail(listed.error, options);
	const width = Math.max(process.stdout.columns ?? WIDTH, NARROWEST);
	say(options, listed.value, options.matrix ? toMatrix(listed.value, width) : toAgentTable(listed.value, width));
}

const WIDTH = 80;
const NARROWEST = 40;
