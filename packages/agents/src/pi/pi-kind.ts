// Pi as a kind of agent.
import type { AgentKind } from '../agent-kind.ts';
import { piCanary } from './canary.ts';
import { expandModel } from './models.ts';
import { createPiAgent } from './pi-agent.ts';
import { toPiEnvironment } from './pi-environment.ts';
import { createPiRuntime } from './pi-runtime.ts';
import { OLDEST_VERSION } from './why-it-ended.ts';

export const piKind: AgentKind = {
	known: {
		id: 'pi',
		title: 'Pi',
		program: 'pi',
		version: /^(\d+\.\d+\.\d+)\S*\s*$/m,
		oldest: OLDEST_VERSION,
		observed: 'roost pi',
	},
	runtime: ({ pi }) => createPiRuntime(pi),
	environment: toPiEnvironment,
	drive: ({ env, configured, command, unavailable, config }) =>
		createPiAgent({
			env: (session) => toPiEnvironment({ processEnv: env, configured, session }),
			command,
			unavailable,
			config: config.runtime.pi,
		}),
	toModel: (model, { pi }) => expandModel(model, pi),
	canary: piCanary,
};
