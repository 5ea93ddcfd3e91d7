// Pi as a kind of agent.
import { join } from 'node:path';
import { deployFile } from '../base/deploy-file.ts';
import type { JsonObject } from '../base/json-object.ts';
import { summariseUsage } from '../base/transcripts.ts';
import { type CanaryAgent, chatCanary } from '../guards/canary.ts';
import { userHookInstall } from '../install/user-hooks.ts';
import { type AgentKind, NOT_SUPPORTED } from '../kind/agent-kind.ts';
import { repositoryFiles, SHARED_SKILLS } from '../repository/describe-repository.ts';
import { PI_HOOK_PROTOCOL, PI_LAUNCH, PI_USER_HOOKS } from './launch.ts';
import { createPiAdapter } from './pi-adapter.ts';
import { toPiEnvironment } from './pi-environment.ts';
import { createPiAgent, OLDEST_VERSION } from './pi-wire.ts';
import { expandModel, PI_MODELS } from './start-argv.ts';

export const piCanary: CanaryAgent = {
	...chatCanary(),
	async launch({ modelUrl, deployed, stateDir }) {
		const folder = join(stateDir, 'pi-canary');
		deployFile(folder, toModels(modelUrl), 'models.json');
		return {
			args: ['--print', '--no-approve', '--no-session', '--model', 'roost/canary', ...deployed.argv, 'Go on.'],
			// A configuration without other models or extensions.
			env: { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
		};
	},
};

function toModels(modelUrl: string): JsonObject {
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
	const model = {
		id: 'canary',
		name: 'canary',
		contextWindow: 100_000,
		maxTokens: 1000,
		input: ['text'],
		reasoning: false,
		cost,
	};
	const provider = { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: 'roost-canary', models: [model] };
	return { providers: { roost: provider } };
}

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
