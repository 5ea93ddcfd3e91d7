// The gate of the user's own agent: `--enforce`, else ROOST_GATE, else gate.mode in config.yaml, else observe.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentId, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import type { ApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type LaunchOptions, launchObserved } from './launch-observed.ts';

describe.each(OBSERVED_IDS)('roost %s', (agent) => {
	it.each([
		['observes by default', '', {}, false, 'observe'],
		['takes gate.mode of config.yaml', 'gate: {mode: enforce}', {}, false, 'enforce'],
		['takes ROOST_GATE over the file', 'gate: {mode: enforce}', { ROOST_GATE: 'observe' }, false, 'observe'],
		['takes --enforce over both', 'gate: {mode: observe}', { ROOST_GATE: 'observe' }, true, 'enforce'],
	] as const)('%s', async (_, yaml, env, enforce, gate) => {
		expect(await gateOf(agent, yaml, env, enforce)).toBe(gate);
	});
});

/** The gate in the request to the runner; nothing is started. */
async function gateOf(agent: AgentId, yaml: string, env: NodeJS.ProcessEnv, enforce: boolean) {
	await using temp = await createTempDir();
	const agents = JSON.stringify({ [agent]: { command: process.execPath } });
	writeFileSync(join(temp.path, 'config.yaml'), `agents: ${agents}\n${yaml}\n`, { mode: 0o600 });
	let asked: string | undefined;
	const launches: ApiClient['launches'] = {
		async open({ gate }) {
			asked = gate;
			return err(STOPPED);
		},
		show: async () => err(STOPPED),
		judge: async () => err(STOPPED),
		end: async () => err(STOPPED),
	};
	const options: LaunchOptions = {
		args: [],
		env: { HOME: temp.path, ROOST_HOME: temp.path, ...env },
		cwd: temp.path,
		enforce,
		reach: async () => ok(launches),
		watch: () => ({ [Symbol.asyncDispose]: async () => {} }),
		say: () => {},
	};
	expect(unwrapError(await launchObserved(agent, options))).toBe(STOPPED);
	return asked;
}

const STOPPED = new AppError('cannot_start', 'Nothing listens.');
