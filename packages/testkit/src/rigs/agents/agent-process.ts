// The process of an agent that a runner drives, as the runner keeps it on disk.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '@roost/protocol/ids';
import { waitFor } from '../wait-for.ts';

const DEADLINE_MS = 60_000;

/** As soon as there is one. */
export async function agentProcess(env: Readonly<Record<string, string>>, id: SessionId): Promise<number> {
	const file = join(env.ROOST_HOME ?? '', 'run', `agent-${id}.json`);
	const read = () => {
		const pid = existsSync(file) ? /"pid":(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
		return pid === undefined ? undefined : Number(pid);
	};
	return await waitFor(read, { deadlineMs: DEADLINE_MS, what: 'the process of an agent' });
}
