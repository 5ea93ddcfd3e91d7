import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';
import { apiError, callTool, hang, malformed, message, say, think } from './model-reply.ts';
import { startFakeResponses } from './responses-server.ts';
import { scriptTurns } from './script.ts';
import { readEvents } from './sse-client.ts';

describe('streamed reply of the Responses API', () => {
	it('sends the events of a text in order, with one delta per chunk and the usage', async () => {
		await using fake = await startFakeResponses(scriptTurns([say('one ', 'two')]));
		const events = await stream(fake.url);
		expect(events.map((event) => event.type)).toEqual([
			'response.created',
			'response.output_item.added',
			'response.output_text.delta',
			'response.output_text.delta',
			'response.output_item.done',
			'response.completed',
		]);
		expect(events[4]).toMatchObject({ item: { type: 'message', role: 'assistant', content: [{ text: 'one two' }] } });
		expect(events[5]).toMatchObject({
			response: {
				status: 'completed',
				usage: {
					input_tokens: 1234,
					input_tokens_details: { cached_tokens: 200 },
					output_tokens: 56,
					output_tokens_details: { reasoning_tokens: 7 },
					total_tokens: 1290,
				},
			},
		});
	});

	it('converts the scripted usage to this API, including cached tokens', async () => {
		const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 };
		await using fake = await startFakeResponses(scriptTurns(message([say('x')], { usage })));
		expect((await stream(fake.url)).at(-1)).toMatchObject({
			response: { usage: { input_tokens: 15, input_tokens_details: { cached_tokens: 5 }, output_tokens: 3, total_tokens: 18 } },
		});
	});

	it('calls functions with JSON, and freeform tools with plain text', async () => {
		const turn = [callTool('shell', { cmd: 'ls' }), callTool('patch', { input: '*** a "patch"' }, 'call_mine')];
		await using fake = await startFakeResponses(scriptTurns(turn, turn));
		const calls = async (body: object) =>
			(await stream(fake.url, body)).flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
		const tools = [
			{ type: 'function', name: 'shell' },
			{ type: 'custom', name: 'patch' },
		];
		const expected = [
			{ type: 'function_call', name: 'shell', arguments: '{"cmd":"ls"}' },
			{ type: 'custom_tool_call', name: 'patch', call_id: 'call_mine', input: '*** a "patch"' },
		];
		expect(await calls({ tools })).toMatchObject(expected);
		const grouped = [{ type: 'additional_tools', tools: [{ type: 'namespace', name: 'functions', tools }] }];
		expect(await calls({ input: grouped })).toMatchObject(expected.map((call) => ({ ...call, namespace: 'functions' })));
		expect(fake.requests.map((request) => request.tools)).toEqual([
			['shell', 'patch'],
			['shell', 'patch'],
		]);
	});

	it('sends reasoning before the text', async () => {
		await using fake = await startFakeResponses(scriptTurns([think('hm'), say('so')]));
		const deltas = (await stream(fake.url)).flatMap(({ delta }) => delta ?? []);
		expect(deltas).toEqual(['hm', 'so']);
	});

	it('holds back the chunks after the first until the gate opens', async () => {
		const gate = createGate();
		await using fake = await startFakeResponses(scriptTurns(message([say('first', 'second')], { pace: { gate } })));
		const seen: string[] = [];
		for await (const { text } of readEvents(await post(fake.url))) {
			seen.push(text);
			if (text.includes('"delta":"first"')) gate.open();
		}
		expect(seen.filter((text) => text.includes('"delta"'))).toHaveLength(2);
	});
});

describe('other replies of the Responses API', () => {
	it('send one body when the request does not stream', async () => {
		await using fake = await startFakeResponses(scriptTurns([say('one ', 'two')]));
		const response = await post(fake.url, { stream: false });
		expect(await response.json()).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'one two' }] }] });
	});

	it('can be an error, hang, be cut off, be malformed JSON, or be no event stream', async () => {
		const limited = apiError(429, 'rate_limit_exceeded', 'slow down');
		const fake = await startFakeResponses(
			scriptTurns(limited, malformed('cut'), malformed('not-json'), malformed('not-sse'), hang()),
		);
		const refused = await post(fake.url);
		expect([refused.status, await refused.json()]).toEqual([
			429,
			{ error: { type: 'rate_limit_exceeded', message: 'slow down', code: 'rate_limit_exceeded', param: null } },
		]);
		await expect(stream(fake.url)).rejects.toThrow('terminated');
		await expect(stream(fake.url)).rejects.toThrow(SyntaxError);
		expect((await post(fake.url)).headers.get('content-type')).toBe('text/html');
		const never = post(fake.url).then(
			() => 'answered',
			() => 'closed',
		);
		await expect.poll(() => fake.requests.length, { timeout: 120_000 }).toBe(5);
		await fake[Symbol.asyncDispose]();
		expect(await never).toBe('closed');
	});

	it('reject other paths and bodies', async () => {
		await using fake = await startFakeResponses(scriptTurns());
		const send = (path: string, body: string) => fetch(`${fake.url}${path}`, { method: 'POST', body });
		expect((await send('/v1/other', '{}')).status).toBe(404);
		expect((await send('/v1/responses', 'not json')).status).toBe(400);
		expect((await send('/v1/responses', '{"model":"m"}')).status).toBe(400);
		expect(fake.requests).toEqual([]);
	});
});

describe('request of the Responses API', () => {
	it('is parsed into the common form for scripts', async () => {
		await using fake = await startFakeResponses(scriptTurns([say('a')]));
		const text = (role: string, words: string) => ({ type: 'message', role, content: [{ type: 'input_text', text: words }] });
		const input = [
			text('developer', 'be kind'),
			text('user', '<environment_context>here</environment_context>'),
			text('user', 'do it'),
			{ type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' },
			{ type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'x' },
			{ type: 'function_call_output', call_id: 'c1', output: 'one' },
			{ type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
		];
		await stream(fake.url, { input, instructions: 'system' });
		expect(fake.requests).toMatchObject([
			{ index: 0, agent: 'main', model: 'model-1', stream: true, system: 'system', firstUserText: 'do it', lastUserText: '' },
		]);
		expect(fake.requests[0]?.toolResults).toEqual([
			{ toolUseId: 'c1', isError: false, text: 'one' },
			{ toolUseId: 'c2', isError: false, text: 'two' },
		]);
	});
});

type Event = { readonly type: string; readonly item?: object; readonly delta?: string; readonly response?: object };

function post(url: string, body: object = {}): Promise<Response> {
	return fetch(`${url}/v1/responses`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ model: 'model-1', stream: true, input: [], ...body }),
	});
}

async function stream(url: string, body?: object): Promise<readonly Event[]> {
	const events: Event[] = [];
	for await (const { text } of readEvents(await post(url, body))) events.push(JSON.parse(text));
	return events;
}
