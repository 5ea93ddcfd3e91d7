// Pi as a kind of agent.
import { summariseUsage } from '../base/transcripts.ts';
import { userHookInstall } from '../install/hook-files.ts';
import { type AgentKind, NOT_SUPPORTED } from '../kind/agent-kind.ts';
import { repositoryFiles, SHARED_SKILLS } from '../repository/describe-repository.ts';
import { piCanary } from './canary.ts';
import { OLDEST_VERSION } from './exit-reason.ts';
import { PI_USER_HOOKS } from './install/user-hooks.ts';
import { PI_HOOK_PROTOCOL, PI_LAUNCH } from './launch.ts';
import { expandModel, PI_MODELS } from './models.ts';
import { createPiAdapter } from './pi-adapter.ts';
import { createPiAgent } from './pi-agent.ts';
import { toPiEnvironment } from './pi-environment.ts';

export const piKind: AgentKind = {
	known: {
		id: 'pi',
		title: 'Pi',
		program: 'pi',
		version: /^(\d+\.\d+\.\d+)\S*\s*$/m,
		oldest: OLDEST_VERSION,
		observed: 'roost pi',
	},
	adapter: ({ pi }) => createPiAdapter(pi),
	environment: toPiEnvironment,
	models: PI_MODELS,
	drive: ({ env, configured, command, unavailable, config }) =>
		createPiAgent({
			env: (session) => toPiEnvironment({ processEnv: env, configured, session }),
			command,
			unavailable,
			config: config.runtime.pi,
		}),
	toModel: (model, { pi }) => expandModel(model, pi),
	canary: piCanary,
	observed: {
		protocol: PI_HOOK_PROTOCOL,
		launch: PI_LAUNCH,
		hooks: userHookInstall(PI_USER_HOOKS),
		repository: [
			...repositoryFiles('json', '.pi/settings.json'),
			...repositoryFiles('names', '.pi/extensions', '.pi/skills', '.pi/prompts', '.pi/themes'),
			...repositoryFiles('present', '.pi/SYSTEM.md', '.pi/APPEND_SYSTEM.md'),
			...SHARED_SKILLS,
		],
		openProbe: null,
	},
	summarise: summariseUsage(createPiAdapter()),
	...NOT_SUPPORTED,
};
