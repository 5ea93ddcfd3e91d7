// Pi under the proof of its guard: started with another model.
import { join } from 'node:path';
import { deployFile } from '../base/deploy-file.ts';
import type { JsonObject } from '../base/json-object.ts';
import type { CanaryAgent } from '../guards/canary.ts';
import { chatCanary } from '../guards/chat-canary.ts';

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
