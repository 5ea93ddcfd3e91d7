// A scripted Anthropic Messages API on loopback: the real `claude` talks to it and cannot tell the difference.
import { type MessageIdentity, toMessageBody, toStreamSteps } from './message-stream.ts';
import { type ModelRequest, parseModelRequest } from './model-request.ts';
import { type FakeModel, type ModelWire, startFakeModel } from './model-server.ts';
import type { Script } from './script.ts';

/** Its `url` is for ANTHROPIC_BASE_URL. */
export type FakeAnthropic = FakeModel;

export function startFakeAnthropic(script: Script): Promise<FakeAnthropic> {
	return startFakeModel(MESSAGES_API, script);
}

const MESSAGES_API: ModelWire = {
	path: '/v1/messages',
	title: 'Messages API',
	others: { 'POST /v1/messages/count_tokens': { input_tokens: 1 } },
	parse: parseModelRequest,
	toBody: (request, reply) => toMessageBody(identify(request), reply),
	toSteps: (request, reply) => toStreamSteps(identify(request), reply),
	// `x-should-retry` is the API's own word to its clients: without it they repeat a 5xx for minutes.
	toError: ({ type, message, retry }) => ({
		headers: { 'x-should-retry': String(retry === true) },
		body: { type: 'error', error: { type, message } },
	}),
	half: { steps: 3, event: 'content_block_delta' },
};

function identify(request: ModelRequest): MessageIdentity {
	return { id: `msg_fake${String(request.index).padStart(4, '0')}`, model: request.model };
}
