import { describe, expect, it } from 'vitest';
import { startFakeChatCompletions } from './chat-completions-server.ts';
import { createGate } from './gate.ts';
import { apiError, callTool, malformed, message, say, think } from './model-reply.ts';
import { isRecord } from './model-request.ts';
import { scriptTurns } from './script.ts';

const USER = { role: 'user', content: 'hi' };

async function post(url: string, body: Record<string, unknown>): Promise<Response> {
	const whole = { model: 'model-1', stream: true, messages: [USER], ...body };
	return await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(whole) });
}

async function chunks(response: Response): Promise<string[]> {
	return (await response.text()).split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []));
}

describe('fake Chat Completions API', () => {
	it('streams text and reasoning, then the finish reason, the usage and [DONE]', async () => {
		await using fake = await startFakeChatCompletions(scriptTurns([think('hm'), say('one ', 'two')]));
		const reported = await chunks(await post(fake.url, {}));
		expect(reported.at(-1)).toBe('[DONE]');
		const parsed: unknown[] = reported.slice(0, -1).map((line) => JSON.parse(line));
		const deltas = parsed.flatMap((chunk) => (isRecord(chunk) && Array.isArray(chunk.choices) ? chunk.choices : []));
		expect(deltas).toMatchObject([
			{ delta: { role: 'assistant' } },
			{ delta: { reasoning_content: 'hm' } },
			{ delta: { content: 'one ' } },
			{ delta: { content: 'two' } },
			{ delta: {}, finish_reason: 'stop' },
		]);
		expect(parsed.at(-1)).toMatchObject({
			usage: { prompt_tokens: 1234, prompt_tokens_details: { cached_tokens: 200 }, completion_tokens: 56 },
		});
	});

	it('sends calls with their arguments in pieces, or as one body without streaming', async () => {
		const turn = [callTool('bash', { command: 'ls' }), callTool('view', { path: 'a' }, 'call_mine')];
		await using fake = await startFakeChatCompletions(scriptTurns(turn, turn));
		const text = (await chunks(await post(fake.url, {}))).join('\n');
		expect(text.match(/"arguments":/g)).toHaveLength(4);
		expect(text).toContain('"finish_reason":"tool_calls"');
		expect(await (await post(fake.url, { stream: false })).json()).toMatchObject({
			choices: [
				{ message: { tool_calls: [{ function: { name: 'bash', arguments: '{"command":"ls"}' } }, { id: 'call_mine' }] } },
			],
		});
	});

	it('parses a request into the common form for scripts', async () => {
		await using fake = await startFakeChatCompletions(scriptTurns([say('x')]));
		const made = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } };
		const messages = [
			{ role: 'system', content: 'be kind' },
			{ role: 'user', content: '<current_datetime>now</current_datetime>\n\ngo' },
			{ role: 'assistant', content: null, tool_calls: [made] },
			{ role: 'tool', tool_call_id: 'c1', content: 'one' },
			{ role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
		];
		await post(fake.url, { messages, tools: [{ type: 'function', function: { name: 'bash' } }] });
		expect(fake.requests[0]).toMatchObject({
			system: 'be kind',
			tools: ['bash'],
			firstUserText: 'go',
			lastUserText: '',
			toolResults: [
				{ toolUseId: 'c1', text: 'one' },
				{ toolUseId: 'c2', text: 'two' },
			],
		});
	});

	it('delays, truncates and fails replies as scripted', async () => {
		const gate = createGate();
		await using fake = await startFakeChatCompletions(
			scriptTurns(
				message([say('a', 'b')], { pace: { gate } }),
				malformed('not-json'),
				malformed('cut'),
				apiError(429, 'slow', 'Wait.'),
			),
		);
		const held = await post(fake.url, {});
		gate.open();
		expect((await chunks(held)).at(-1)).toBe('[DONE]');
		expect(await (await post(fake.url, {})).text()).toMatch(/data: \{"type":"chat\.comp\n\n$/);
		await expect(post(fake.url, {}).then((response) => response.text())).rejects.toThrow();
		const refused = await post(fake.url, {});
		expect([refused.status, await refused.json()]).toMatchObject([429, { error: { message: 'Wait.' } }]);
		expect((await fetch(`${fake.url}/nowhere`)).status).toBe(404);
	});
});
