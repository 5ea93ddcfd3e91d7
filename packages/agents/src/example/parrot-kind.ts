// The parrot as a kind of agent.
import { createAgentEnvironment } from '../base/agent-environment.ts';
import { summariseUsage } from '../base/transcripts.ts';
import { type AgentKind, NOT_SUPPORTED } from '../kind/agent-kind.ts';
import { createParrotAdapter } from './parrot-adapter.ts';
import { createParrotAgent } from './parrot-agent.ts';

const toParrotEnvironment = createAgentEnvironment({
	inherited: [{ why: 'the model is where the user has it', names: ['PARROT_MODEL_URL'] }],
	withheld: [],
});

export const parrotKind: AgentKind = {
	known: {
		id: 'parrot',
		title: 'Parrot',
		program: 'parrot',
		version: /^parrot (\d+\.\d+\.\d+)$/m,
		oldest: '1.0.0',
		observed: null,
	},
	adapter: createParrotAdapter,
	environment: toParrotEnvironment,
	models: {},
	drive: ({ env, configured, command, unavailable }) =>
		createParrotAgent({
			command,
			env: (session) => toParrotEnvironment({ processEnv: env, configured, session }),
			unavailable,
		}),
	canary: null,
	observed: null,
	summarise: summariseUsage(createParrotAdapter()),
	...NOT_SUPPORTED,
};
