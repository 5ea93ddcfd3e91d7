// Reads transcripts as Claude writes them, including repeated and unknown lines.

import { readFileSync } from 'node:fs';
import { estimateCost } from '@roost/core/usage/prices';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTranscriptReading, readSubagentLine, readTranscriptLine, summarise } from './read-transcript.ts';

const SAMPLE = readFileSync(new URL('./samples/session.jsonl', import.meta.url), 'utf8').split('\n');

describe('transcript summary', () => {
	it('matches the known counts and cost of a recorded session', () => {
		const summary = read(SAMPLE);
		expect(summary).toEqual({
			lastAssistantText: 'Plain text answer.\nSecond line of it.\n',
			lastAssistantAt: Date.parse('2026-11-15T02:46:05.959Z'),
			messages: 7,
			toolCalls: 1,
			error: undefined,
			usage: {
				'claude-opus-5-5': { input_tokens: 2853, output_tokens: 132, cache_read_tokens: 88, cache_write_tokens: 44 },
			},
		});
		expect(estimateCost(summary.usage).usd).toBeCloseTo(0.0142896, 10);
	});

	it('counts a model message once, with its last usage', () => {
		const summary = read([
			answer({ id: 'm1', output: 1, content: [{ type: 'text', text: 'I look.' }] }),
			answer({ id: 'm1', output: 9, content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] }),
		]);
		expect(summary).toMatchObject({ messages: 1, toolCalls: 1, usage: { big: { output_tokens: 9 } } });
		expect(summary.lastAssistantText).toBe('I look.');
	});

	it('does not count tool results and meta lines as messages', () => {
		const summary = read([
			JSON.stringify({ type: 'user', uuid: 'u1', message: { content: 'go' } }),
			JSON.stringify({ type: 'user', uuid: 'u2', message: { content: [{ type: 'tool_result', content: 'ok' }] } }),
			JSON.stringify({ type: 'user', uuid: 'u3', isMeta: true, message: { content: 'caveat' } }),
			JSON.stringify({ type: 'user', uuid: 'u4', message: { content: [{ type: 'text', text: 'and' }, { type: 'image' }] } }),
		]);
		expect(summary.messages).toBe(2);
	});

	it('counts usage of subagents, but not their messages', () => {
		const reading = createTranscriptReading();
		readTranscriptLine(reading, answer({ id: 'm1', sidechain: true }));
		readSubagentLine(reading, answer({ id: 'm2' }));
		expect(summarise(reading)).toMatchObject({ messages: 0, usage: { big: { input_tokens: 20 } } });
		expect(summarise(reading).lastAssistantText).toBeUndefined();
	});

	it('reports an API error until a response succeeds, and counts no tokens for it', () => {
		const failed = JSON.stringify({
			type: 'assistant',
			isApiErrorMessage: true,
			message: {
				id: 'made-up',
				model: '<synthetic>',
				content: [{ type: 'text', text: 'API Error: 529' }],
				usage: { input_tokens: 5, output_tokens: 5 },
			},
		});
		expect(read([failed])).toMatchObject({ error: 'API Error: 529', messages: 0 });
		expect(read([failed]).usage).toEqual({});
		expect(read([failed]).lastAssistantText).toBeUndefined();
		expect(read([failed, answer({ id: 'm1' })]).error).toBeUndefined();
	});

	it('skips malformed lines', () => {
		const broken = ['{', 'null', '[]', '"x"', '{"no":"type"}', '{"type":"assistant"}', answer({ id: 'm0', output: -1 })];
		const summary = read([...broken, '', '  ', answer({ id: 'm1' })]);
		expect(summary).toMatchObject({ messages: 1 });
	});

	it('skips unknown line types', () => {
		expect(read(['{"type":"something-new","message":7}'])).toMatchObject({ messages: 0 });
	});

	it('never throws on arbitrary lines', () => {
		const anyLine = fc.oneof(
			fc.string(),
			fc.json(),
			fc.constantFrom(...SAMPLE).map((line) => line.slice(0, line.length / 2)),
		);
		fc.assert(
			fc.property(fc.array(anyLine), (lines) => {
				expect(() => read(lines)).not.toThrow();
			}),
		);
	});

	it('is unaffected by repeated lines', () => {
		fc.assert(
			fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: SAMPLE.length }), (repeats) => {
				const repeated = SAMPLE.flatMap((line, index) => Array.from({ length: 1 + (repeats[index] ?? 0) }, () => line));
				expect(read(repeated)).toEqual(read(SAMPLE));
			}),
		);
	});
});

function read(lines: readonly string[]) {
	const reading = createTranscriptReading();
	for (const line of lines) readTranscriptLine(reading, line);
	return summarise(reading);
}

function answer({ id, output = 1, content = [{ type: 'text', text: 'hi' }], sidechain = false }: AnswerLine): string {
	const usage = { input_tokens: 10, output_tokens: output };
	return JSON.stringify({ type: 'assistant', isSidechain: sidechain, message: { id, model: 'big', content, usage } });
}

type AnswerLine = { id: string; output?: number; content?: Record<string, unknown>[]; sidechain?: boolean };
