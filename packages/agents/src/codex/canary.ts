// Codex under the proof of its guard: a scripted model (OpenAI Responses), and settings that point at it.
import { CANARY_COMMAND } from '@roost/core/guards/canary-command';
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { CanaryAgent, ModelAnswer, ModelCall } from '../guards/canary.ts';
import { toConfigArgs, tomlString } from './config-args.ts';

const CALL_ID = 'call_roost_canary';
const PROVIDER = 'roost_canary';
const KEY = 'ROOST_CANARY_KEY';

export const codexCanary: CanaryAgent = {
	answer(call) {
		if (call.method !== 'POST' || !call.path.endsWith('/responses')) return null;
		const shell = {
			type: 'function_call',
			call_id: CALL_ID,
			name: 'exec_command',
			arguments: JSON.stringify({ cmd: CANARY_COMMAND }),
		};
		const words = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
		return toStream(findOutcome(call) === null ? shell : words);
	},
	outcome: findOutcome,
	async launch({ modelUrl, deployed }) {
		const provider = {
			name: PROVIDER,
			base_url: `${modelUrl}/v1`,
			wire_api: 'responses',
			env_key: KEY,
		};
		const fields = Object.entries(provider).map(([key, value]) => `${key}=${tomlString(value)}`);
		return {
			args: [
				...['exec', '--ephemeral', '--skip-git-repo-check', '--model=roost-canary'],
				...deployed.argv,
				...toConfigArgs({
					model_provider: tomlString(PROVIDER),
					[`model_providers.${PROVIDER}`]: `{${fields.join(', ')}, request_max_retries=0, stream_max_retries=0}`,
				}),
				...['--', 'Go on.'],
			],
			env: { [KEY]: 'roost-canary', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
		};
	},
};

function findOutcome({ body }: ModelCall): string | null {
	const input = isJsonObject(body) && Array.isArray(body.input) ? body.input.filter(isJsonObject) : [];
	const result = input.find((item) => item.type === 'function_call_output' && item.call_id === CALL_ID);
	if (!result) return null;
	return stringAt(result, 'output') ?? JSON.stringify(result.output);
}

function toStream(item: object): ModelAnswer {
	const response = { id: 'resp_roost_canary', object: 'response' };
	const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
	const events = [
		{ type: 'response.created', response },
		{ type: 'response.output_item.done', output_index: 0, item: { id: 'item_roost_canary', status: 'completed', ...item } },
		{ type: 'response.completed', response: { ...response, status: 'completed', usage } },
	];
	const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
	return { contentType: 'text/event-stream', body };
}
