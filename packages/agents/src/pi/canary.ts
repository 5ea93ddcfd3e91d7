// Pi under the proof of its guard: its model speaks as Claude's does, and a folder of its own names no other one.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CANARY_COMMAND } from '@roost/core/guards/canary-command';
import type { CanaryAgent } from '../guards/canary.ts';
import type { ModelAnswer, ModelCall } from '../guards/canary-model.ts';
import { isJsonObject, stringAt } from '../json-object.ts';

const CALL_ID = 'call_roost_canary';
const PROVIDER = 'roost-canary';
const MODEL = 'canary';

export const piCanary: CanaryAgent = {
	answer(call) {
		if (call.method !== 'POST' || !call.path.endsWith('/chat/completions')) return null;
		const shell = { index: 0, id: CALL_ID, type: 'function', function: { name: 'bash', arguments: JSON.stringify(INPUT) } };
		return findOutcome(call) === null ? toStream({ tool_calls: [shell] }, 'tool_calls') : toStream({ content: 'Done.' }, 'stop');
	},
	outcome: findOutcome,
	async launch({ modelUrl, deployed, stateDir }) {
		const folder = join(stateDir, 'pi-canary');
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await writeFile(join(folder, 'models.json'), JSON.stringify(toModels(modelUrl)), { mode: 0o600 });
		return {
			args: ['--print', '--no-session', '--model', `${PROVIDER}/${MODEL}`, ...deployed.argv, 'Go on.'],
			env: { PI_CODING_AGENT_DIR: folder, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
		};
	},
};

const INPUT = { command: CANARY_COMMAND };

function toModels(modelUrl: string): object {
	const model = {
		id: MODEL,
		name: MODEL,
		reasoning: false,
		input: ['text'],
		contextWindow: 100_000,
		maxTokens: 1000,
		cost: FREE,
	};
	return {
		providers: { [PROVIDER]: { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: PROVIDER, models: [model] } },
	};
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function findOutcome({ body }: ModelCall): string | null {
	const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
	const result = messages.find((message) => message.role === 'tool' && message.tool_call_id === CALL_ID);
	if (!result) return null;
	return stringAt(result, 'content') ?? JSON.stringify(result.content);
}

function toStream(delta: object, finish_reason: string): ModelAnswer {
	const chunk = { id: 'chatcmpl_roost_canary', object: 'chat.completion.chunk', model: MODEL };
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	const events = [
		{ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
		{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
	];
	const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
	return { contentType: 'text/event-stream', body };
}
