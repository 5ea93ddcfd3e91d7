// The scripted terminal program as a kind of agent, to test the loop for terminals with every failure.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { quoteArgv } from '@roost/agents/base/argv';
import type { AgentAdapter } from '@roost/agents/base/types';
import type { FakeTuiScenario } from '../../fakes/fake-tui.ts';

const PROGRAM = fileURLToPath(new URL('../../fakes/fake-tui.ts', import.meta.url));

export type FakeTuiAgent = {
	readonly adapter: AgentAdapter;
	/** The input of the program so far. */
	received(): { prompt?: string; answered?: string; key?: string }[];
};

export type FakeTuiOptions = {
	verifies?: boolean;
	/** The pattern of a ready screen. */
	readyWhen?: RegExp;
	/** Another program instead. */
	argv?: readonly string[];
};

export function createFakeTuiAgent(scenario: FakeTuiScenario, over: FakeTuiOptions = {}): FakeTuiAgent {
	const { verifies = true, readyWhen = /^READY>/m, argv = [process.execPath, PROGRAM, JSON.stringify(scenario)] } = over;
	const adapter: AgentAdapter = {
		id: 'fake',
		title: 'Fake agent',
		program: 'fake-agent',
		instructionPath: 'AGENTS.md',
		traits: { hasTerminal: true, verifiesBeacon: verifies, connects: null, guard: 'none' },
		buildSpawnCommand: () => quoteArgv(argv),
		buildPrintCommand: () => [...argv],
		deployConfig: async () => ({ argv: [], env: {}, files: [], remove: async () => {} }),
		detectReady: (screen) => {
			if (/^DIALOG/m.test(screen)) return { phase: 'dialog', action: 'Enter' };
			return { phase: readyWhen.test(screen) ? 'ready' : 'loading' };
		},
		parseTranscript: async () => null,
		buildEnv: () => ({}),
		requiresBeaconVerification: () => verifies,
	};
	return {
		adapter,
		received: () =>
			existsSync(scenario.log)
				? readFileSync(scenario.log, 'utf8')
						.split('\n')
						.filter((line) => line !== '')
						.map((line) => JSON.parse(line))
				: [],
	};
}
