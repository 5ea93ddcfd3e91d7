// A scripted OpenAI Chat Completions API on loopback: the real `copilot` talks to it and cannot tell the difference.
import { parseChatRequest } from './chat-completions-server-request.ts';
import { CHUNK, toChatBody, toChatSse, toChatSteps } from './chat-completions-server-stream.ts';
import { type FakeModel, type ModelWire, startFakeModel } from './model-server.ts';
import type { Script } from './script.ts';

/** Its `url` with `/v1` behind it is for the base URL of a provider. */
export function startFakeChatCompletions(script: Script): Promise<FakeModel> {
	return startFakeModel(CHAT_COMPLETIONS_API, script);
}

const CHAT_COMPLETIONS_API: ModelWire = {
	path: '/v1/chat/completions',
	title: 'Chat Completions API',
	others: { 'GET /v1/models': { object: 'list', data: [] } },
	parse: parseChatRequest,
	toBody: toChatBody,
	toSteps: toChatSteps,
	toError: ({ type, message, retry }) => ({
		headers: { 'x-should-retry': String(retry === true) },
		body: { error: { type, message, code: type, param: null } },
	}),
	toSse: toChatSse,
	half: { steps: 2, event: CHUNK },
};
