import { describe, expect, it } from 'vitest';
import { startFakeAnthropic } from './anthropic-server.ts';
import { createGate } from './gate.ts';
import { apiError, callTool, hang, malformed, message, say, think } from './model-reply.ts';
import { scriptTurns } from './script.ts';
import { postMessages, readEvents } from './sse-client.ts';

describe('streamed reply', () => {
	it('sends the events of a text in order, with one delta per chunk', async () => {
		await using fake = await startFakeAnthropic(
			scriptTurns(message([say('one ', 'two')], { usage: { input_tokens: 7, output_tokens: 9 } })),
		);
		const events = await stream(fake.url);
		expect(events.map((event) => event.type)).toEqual([
			'message_start',
			'content_block_start',
			'content_block_delta',
			'content_block_delta',
			'content_block_stop',
			'message_delta',
			'message_stop',
		]);
		expect(events[0]).toMatchObject({
			message: {
				role: 'assistant',
				model: 'model-1',
				content: [],
				stop_reason: null,
				usage: { input_tokens: 7, output_tokens: 1 },
			},
		});
		expect(events[2]).toEqual({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one ' } });
		expect(events[5]).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 7, output_tokens: 9 } });
	});

	it('sends parallel tool calls as blocks of one message, with their input in pieces', async () => {
		const turn = [callTool('Bash', { command: 'ls' }), callTool('Read', { file_path: 'a;"b"' }, 'toolu_mine')];
		await using fake = await startFakeAnthropic(scriptTurns(turn));
		const events = await stream(fake.url);
		const starts = events.filter((event) => event.type === 'content_block_start');
		expect(starts).toMatchObject([
			{ index: 0, content_block: { type: 'tool_use', name: 'Bash', input: {} } },
			{ index: 1, content_block: { type: 'tool_use', name: 'Read', id: 'toolu_mine' } },
		]);
		expect([0, 1].map((index) => inputOf(events, index))).toEqual([{ command: 'ls' }, { file_path: 'a;"b"' }]);
		expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
	});

	it('sends thinking, with its signature, before the text', async () => {
		await using fake = await startFakeAnthropic(scriptTurns([think('hm'), say('so')]));
		const deltas = (await stream(fake.url)).filter((event) => event.type === 'content_block_delta').map((event) => event.delta);
		expect(deltas).toEqual([
			{ type: 'thinking_delta', thinking: 'hm' },
			{ type: 'signature_delta', signature: 'fake-signature' },
			{ type: 'text_delta', text: 'so' },
		]);
	});

	it('holds back the chunks after the first until the gate opens', async () => {
		const gate = createGate();
		await using fake = await startFakeAnthropic(scriptTurns(message([say('first', 'second')], { pace: { gate } })));
		const seen: string[] = [];
		for await (const { text } of readEvents(await postMessages(fake.url, { stream: true }))) {
			seen.push(text);
			if (text.includes('first')) gate.open();
			if (text.includes('second')) expect(seen.filter((each) => each.includes('first'))).toHaveLength(1);
		}
		expect(seen.at(-1)).toBe('{"type":"message_stop"}');
	});

	it('sends nothing past a closed gate, while other requests are served', async () => {
		const held = message([say('first', 'second')], { pace: { gate: createGate() } });
		await using fake = await startFakeAnthropic(scriptTurns(held, [say('a')], [say('b')], [say('c')]));
		const reader = readEvents(await postMessages(fake.url, { stream: true }));
		const names = [await reader.next(), await reader.next(), await reader.next()].map(({ value }) => value?.name);
		expect(names).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
		const next = reader.next();
		const others = async () => [await stream(fake.url), await stream(fake.url), await stream(fake.url)].length;
		expect(await Promise.race([next, others()])).toBe(3);
		await fake[Symbol.asyncDispose]();
		await expect(next).rejects.toThrow('terminated');
	});

	it('completes with a delay between chunks', async () => {
		await using fake = await startFakeAnthropic(scriptTurns(message([say('a', 'b', 'c')], { pace: { delayMs: 1 } })));
		expect((await stream(fake.url)).at(-1)).toEqual({ type: 'message_stop' });
	});
});

describe('other replies', () => {
	it('send one body when the request does not stream', async () => {
		await using fake = await startFakeAnthropic(
			scriptTurns([think('hm'), say('one ', 'two'), callTool('Bash', { command: 'ls' }, 'toolu_1')]),
		);
		const response = await postMessages(fake.url, {});
		expect(await response.json()).toMatchObject({
			type: 'message',
			content: [
				{ type: 'thinking', thinking: 'hm' },
				{ type: 'text', text: 'one two' },
				{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
			],
			stop_reason: 'tool_use',
			usage: { input_tokens: 100, output_tokens: 20 },
		});
	});

	it('can be an error, with retries disabled unless the script enables them', async () => {
		const overloaded = (retry: boolean) => apiError(529, 'overloaded_error', 'Overloaded', { retry });
		await using fake = await startFakeAnthropic(scriptTurns(overloaded(false), overloaded(true)));
		const responses = [await postMessages(fake.url, { stream: true }), await postMessages(fake.url, { stream: true })];
		expect(responses.map(({ status, headers }) => [status, headers.get('x-should-retry')])).toEqual([
			[529, 'false'],
			[529, 'true'],
		]);
		expect(await responses[0]?.json()).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
	});

	it('can hang until the server closes', async () => {
		const fake = await startFakeAnthropic(scriptTurns(hang()));
		const answer = postMessages(fake.url, { stream: true }).then(
			() => 'answered',
			() => 'closed',
		);
		await expect.poll(() => fake.requests.length, { timeout: 120_000 }).toBe(1);
		await fake[Symbol.asyncDispose]();
		await fake[Symbol.asyncDispose]();
		expect(await answer).toBe('closed');
	});

	it('can be cut off, malformed JSON, or no event stream', async () => {
		await using fake = await startFakeAnthropic(scriptTurns(malformed('cut'), malformed('not-json'), malformed('not-sse')));
		await expect(stream(fake.url)).rejects.toThrow('terminated');
		await expect(stream(fake.url)).rejects.toThrow(SyntaxError);
		const page = await postMessages(fake.url, { stream: true });
		expect(page.headers.get('content-type')).toBe('text/html');
	});

	it('count tokens as 1, and reject other paths and bodies', async () => {
		await using fake = await startFakeAnthropic(scriptTurns());
		const post = (path: string, body: string) => fetch(`${fake.url}${path}`, { method: 'POST', body });
		expect(await (await post('/v1/messages/count_tokens', '{}')).json()).toEqual({ input_tokens: 1 });
		expect((await post('/v1/other', '{}')).status).toBe(404);
		expect((await post('/v1/messages', 'not json')).status).toBe(400);
		expect((await post('/v1/messages', '[]')).status).toBe(400);
		expect(fake.requests).toEqual([]);
	});

	it('are a server error that names the fault when the script throws', async () => {
		await using fake = await startFakeAnthropic(() => {
			throw new Error('no idea');
		});
		const response = await postMessages(fake.url, {});
		expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('no idea')]);
	});
});

type Event = Readonly<Record<string, unknown>> & {
	readonly type: string;
	readonly index?: number;
	readonly delta?: { readonly partial_json?: string };
};

async function stream(url: string): Promise<readonly Event[]> {
	const events: Event[] = [];
	for await (const { name, text } of readEvents(await postMessages(url, { stream: true }))) {
		const event: Event = JSON.parse(text);
		expect(event.type).toBe(name);
		events.push(event);
	}
	return events;
}

function inputOf(events: readonly Event[], index: number): unknown {
	const pieces = events.filter((event) => event.index === index).map((event) => event.delta?.partial_json ?? '');
	return JSON.parse(pieces.join(''));
}
