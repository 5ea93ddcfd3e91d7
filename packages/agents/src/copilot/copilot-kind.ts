// GitHub Copilot as a kind of agent.
import type { AgentKind } from '../agent-kind.ts';
import { copilotCanary } from './canary.ts';
import { createCopilotAgent } from './copilot-agent.ts';
import { toCopilotEnvironment } from './copilot-environment.ts';
import { createCopilotRuntime } from './copilot-runtime.ts';

export const copilotKind: AgentKind = {
	known: {
		id: 'copilot',
		title: 'GitHub Copilot',
		program: 'copilot',
		version: /\bCopilot CLI (\d+\.\d+\.\d+)/,
		oldest: '1.0.102',
		observed: 'roost copilot',
	},
	runtime: createCopilotRuntime,
	environment: toCopilotEnvironment,
	drive: ({ env, configured, command, unavailable, config }) =>
		createCopilotAgent({
			env: (session) => toCopilotEnvironment({ processEnv: env, configured, session }),
			command,
			unavailable,
			askMs: config.sdk.approvalTimeoutMs,
		}),
	canary: copilotCanary,
};
