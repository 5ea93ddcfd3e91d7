import { everyEvent } from '@roost/testkit/rigs/record/every-event';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitiseLine } from '../display/sanitise.ts';
import { eventTitle, titleOf, toPreview } from './title.ts';

/** Printable ASCII, and the marks that titles join texts with. */
const PLAIN = /^[\x20-\x7e…·→]+$/;
const origin = { decided_by: 'user' as const };

describe('title', () => {
	it('shows the subject of a tool call', () => {
		const title = (tool_name: string, tool_input: Record<string, unknown>) => titleOf('tool.pre', { tool_name, tool_input });
		expect(title('Read', { limit: 5, file_path: '/a/b.ts' })).toBe('Read(/a/b.ts)');
		expect(title('Bash', { description: 'List', command: 'ls -la' })).toBe('Bash(ls -la)');
		expect(title('mcp__lab__echo', { depth: 2, text: 'hello' })).toBe('mcp__lab__echo(hello)');
		expect(title('ExitPlanMode', {})).toBe('ExitPlanMode');
	});

	it('shows the outcome of a tool call', () => {
		const read = { tool_name: 'Read', tool_input: {} };
		expect(titleOf('tool.post', { ...read, tool_response: 'x' })).toBe('Read result');
		expect(titleOf('tool.failure', { ...read, error: 'Exit code 3\nout' })).toBe('Read failed: Exit code 3 …');
	});

	it('describes requests and decisions', () => {
		expect(titleOf('permission.request', { tool_name: 'Bash', tool_input: {}, risk: 'low' })).toBe('Permission: Bash');
		expect(titleOf('permission.decision', { decision_type: 'allow', ...origin })).toBe('Allowed');
		expect(titleOf('permission.decision', { decision_type: 'deny', message: 'not here', ...origin })).toBe('Denied: not here');
		expect(titleOf('permission.decision', { decision_type: 'no_opinion', ...origin, reason: 'too late' })).toBe(
			'No opinion: too late',
		);
		expect(titleOf('question.answer', { answers: { a: 'Blue', b: 'A, C' }, ...origin })).toBe('Answered: Blue · A, C');
		expect(titleOf('question.answer', { answers: {}, ...origin })).toBe('Not answered');
	});

	it('is the text of a notification or the name of an unknown hook', () => {
		expect(titleOf('notification', { message: 'Claude is waiting for your input' })).toBe('Claude is waiting for your input');
		expect(titleOf('unknown.hook', { hook_event_name: 'Novelty', payload: {} })).toBe('Novelty');
	});

	it('is one line of bounded length, with an ellipsis if it was cut', () => {
		const long = titleOf('notification', { message: 'x'.repeat(100_000) });
		expect(long).toHaveLength(160);
		expect(long.endsWith('…')).toBe(true);
		expect(titleOf('agent.message', { text: '\n\n  first \nsecond' })).toBe('first  …');
		expect(toPreview('y'.repeat(200))).toHaveLength(80);
	});

	it('shows every line of a command and escapes deceptive characters', () => {
		const title = titleOf('tool.pre', { tool_name: 'Bash', tool_input: { command: 'ls\nrm -rf ~\r\u001b[2K\u202e' } });
		expect(title).toBe('Bash(ls\\nrm -rf ~\\r\\x1b[2K\\u{202e})');
	});

	it('has no signs, for any kind of event', () => {
		for (const event of everyEvent('words', 2))
			expect([event.kind, eventTitle(event)]).toEqual([event.kind, expect.stringMatching(PLAIN)]);
	});

	it('does not split a character', () => {
		for (const shift of ['', 'x']) expect(titleOf('notification', { message: shift + '🐦'.repeat(200) })).not.toMatch(/\p{Cs}/u);
	});

	it('is safe to print and bounded for any text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
				const title = titleOf('tool.pre', { tool_name: text, tool_input: { command: text } });
				expect(sanitiseLine(title)).toBe(title);
				expect(title.length).toBeLessThanOrEqual(160);
			}),
		);
	});

	it.each([
		[undefined, 'Usage: 1 in, 2 out'],
		[0, 'Usage: 1 in, 2 out, about $0.00'],
		[0.001, 'Usage: 1 in, 2 out, under $0.01'],
		[1.234, 'Usage: 1 in, 2 out, about $1.23'],
	])('shows a cost of %s with suitable precision', (cost_usd_estimate, title) => {
		const total = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0 };
		expect(titleOf('usage.update', { total, by_model: {}, cost_usd_estimate })).toBe(title);
	});
});
