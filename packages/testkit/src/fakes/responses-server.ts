// A scripted OpenAI Responses API on loopback: the real `codex` talks to it and cannot tell the difference.
import { type FakeModel, type ModelWire, startFakeModel } from './model-server.ts';
import { parseResponsesRequest } from './responses-server-request.ts';
import { toResponseBody, toResponseSteps } from './responses-server-stream.ts';
import type { Script } from './script.ts';

/** Its `url` with `/v1` behind it is for `base_url` of a provider. */
export function startFakeResponses(script: Script): Promise<FakeModel> {
	return startFakeModel(RESPONSES_API, script);
}

const RESPONSES_API: ModelWire = {
	path: '/v1/responses',
	title: 'Responses API',
	others: { 'GET /v1/models': { object: 'list', data: [], models: [] } },
	parse: parseResponsesRequest,
	toBody: toResponseBody,
	toSteps: toResponseSteps,
	toError: ({ type, message }) => ({ headers: {}, body: { error: { type, message, code: type, param: null } } }),
	half: { steps: 3, event: 'response.output_text.delta' },
};
