// A process near an agent of this runner, and one near an agent of another runner.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createProcessScans } from '@roost/machine/process-scan';
import { sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { createGovernedProcess } from './governed-process.ts';

describe.runIf(process.platform === 'linux')('process in the same process session as an agent', () => {
	it('belongs to the agent only if this runner knows the session of the agent', async () => {
		const agent = sessionId.parse('s-of-an-agent');
		const marked = await start({ ROOST_SESSION: agent });
		const beside = await start({});
		try {
			const scan = await createProcessScans()();
			const launches = { sessionOf: () => null, pids: () => [] };
			const governedWhere = (isKnown: boolean) =>
				createGovernedProcess({ launches, runnerPid: 1, knows: (id) => isKnown && id === agent });
			expect(governedWhere(true)(pidOf(beside), scan)).toEqual({ session: agent });
			expect(governedWhere(false)(pidOf(beside), scan)).toBeNull();
			expect(governedWhere(false)(pidOf(marked), scan)).toEqual({ session: agent });
		} finally {
			marked.kill('SIGKILL');
			beside.kill('SIGKILL');
		}
	});
});

async function start(env: Record<string, string>): Promise<ChildProcess> {
	const child = spawn('/bin/sleep', ['600'], { env, stdio: 'ignore' });
	await once(child, 'spawn');
	return child;
}

function pidOf({ pid }: ChildProcess): number {
	if (pid === undefined) throw new Error('it was not started');
	return pid;
}
