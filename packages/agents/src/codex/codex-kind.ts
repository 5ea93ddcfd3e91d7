// Codex as a kind of agent.

import type { AgentKind } from '../agent-kind.ts';
import { findBrokenSandbox } from './broken-sandbox.ts';
import { codexCanary } from './canary.ts';
import { toCodexEnvironment } from './codex-environment.ts';
import { createCodexRuntime } from './codex-runtime.ts';
import { createCodexAgent } from './live/create-codex-agent.ts';

export const codexKind: AgentKind = {
	known: {
		id: 'codex',
		title: 'Codex',
		program: 'codex',
		version: /^codex-cli (\d+\.\d+\.\d+)/m,
		oldest: '0.166.0',
		observed: 'roost codex',
		findObstacle: findBrokenSandbox,
	},
	runtime: createCodexRuntime,
	environment: toCodexEnvironment,
	drive: ({ env, configured, command, unavailable, runDir, forwarder, version }) =>
		createCodexAgent({
			env: (session) => toCodexEnvironment({ processEnv: env, configured, session }),
			command,
			unavailable,
			runDir,
			forwarder,
			version,
		}),
	canary: codexCanary,
};
