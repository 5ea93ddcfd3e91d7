// Canary for models that speak Chat Completions: one shell call, then the end.
import { CANARY_COMMAND } from '@roost/core/guards/canary-command';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import type { CanaryAgent, ModelAnswer, ModelCall } from './canary.ts';

const CALL_ID = 'call_roost_canary';

/** `more`: other arguments of the shell tool. Without a shell tool there is no call. */
export function chatCanary(more: JsonObject = {}): Pick<CanaryAgent, 'answer' | 'outcome'> {
	return {
		answer(call) {
			if (call.method !== 'POST' || call.path !== '/v1/chat/completions' || !isJsonObject(call.body)) return null;
			return toCompletion(call.body, hasShell(call.body) && findOutcome(call) === null, more);
		},
		outcome: findOutcome,
	};
}

function hasShell({ tools }: JsonObject): boolean {
	const offered = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
	return offered.some((tool) => isJsonObject(tool.function) && tool.function.name === 'bash');
}

function findOutcome({ body }: ModelCall): string | null {
	const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
	const result = messages.find(({ role, tool_call_id }) => role === 'tool' && tool_call_id === CALL_ID);
	if (!result) return null;
	return typeof result.content === 'string' ? result.content : JSON.stringify(result.content);
}

function toCompletion(request: JsonObject, calls: boolean, more: JsonObject): ModelAnswer {
	const input = JSON.stringify({ command: CANARY_COMMAND, ...more });
	const call = { index: 0, id: CALL_ID, type: 'function', function: { name: 'bash', arguments: input } };
	const delta = calls ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: 'Done.' };
	const finish_reason = calls ? 'tool_calls' : 'stop';
	const base = { id: 'chatcmpl_roost_canary', created: 0, model: request.model };
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	if (request.stream !== true) {
		const body = { ...base, object: 'chat.completion', choices: [{ index: 0, message: delta, finish_reason }], usage };
		return { contentType: 'application/json', body: JSON.stringify(body) };
	}
	const chunk = { ...base, object: 'chat.completion.chunk' };
	const events = [
		{ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
		{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
		{ ...chunk, choices: [], usage },
	];
	const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
	return { contentType: 'text/event-stream', body };
}
