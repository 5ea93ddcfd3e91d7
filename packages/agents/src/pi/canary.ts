// Pi under the proof of its guard: how its model speaks (Chat Completions), and how it is pointed at another one.
import { join } from 'node:path';
import { CANARY_COMMAND } from '@roost/core/guards/canary-command';
import { deployFile } from '../base/deploy-file.ts';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import type { CanaryAgent, ModelAnswer, ModelCall } from '../guards/canary.ts';

const CALL_ID = 'call_roost_canary';

export const piCanary: CanaryAgent = {
	answer(call) {
		if (call.method !== 'POST' || call.path !== '/v1/chat/completions' || !isJsonObject(call.body)) return null;
		return toCompletion(call.body, findOutcome(call) === null);
	},
	outcome: findOutcome,
	async launch({ modelUrl, deployed, stateDir }) {
		const folder = join(stateDir, 'pi-canary');
		deployFile(folder, toModels(modelUrl), 'models.json');
		return {
			args: ['--print', '--no-approve', '--no-session', '--model', 'roost/canary', ...deployed.argv, 'Go on.'],
			// A configuration that knows no other model, and no extension of the user's.
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

function findOutcome({ body }: ModelCall): string | null {
	const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
	const result = messages.find(({ role, tool_call_id }) => role === 'tool' && tool_call_id === CALL_ID);
	if (!result) return null;
	return typeof result.content === 'string' ? result.content : JSON.stringify(result.content);
}

function toCompletion(request: JsonObject, calls: boolean): ModelAnswer {
	const call = {
		index: 0,
		id: CALL_ID,
		type: 'function',
		function: { name: 'bash', arguments: JSON.stringify({ command: CANARY_COMMAND }) },
	};
	const delta = calls ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: 'Done.' };
	const chunk = { id: 'chatcmpl_roost_canary', object: 'chat.completion.chunk', created: 0, model: request.model };
	const events = [
		{ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
		{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }] },
		{ ...chunk, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
	];
	const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((line) => `data: ${line}\n\n`).join('');
	return { contentType: 'text/event-stream', body };
}
