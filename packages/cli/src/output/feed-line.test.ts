import { createFeedMapper } from '@roost/core/feed/mapper';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { styleFor, toFeedLine, toFeedText } from './feed-line.ts';

const PLAIN = { colour: false };
const NOON = new Date(2026, 0, 1, 12, 34, 56).getTime();

describe('feed line', () => {
	it('shows the time and the message', () => {
		expect(lineOf('Notification', { message: 'ready' })).toBe('12:34:56  ready');
	});

	it('indents actions of a subagent', () => {
		expect(lineOf('PreToolUse', { tool_name: 'Grep', tool_input: { pattern: 'x' }, agent_id: 'a' })).toBe(
			'12:34:56  │ ● Grep(x)',
		);
	});

	it('shows who allowed a call, and why it was denied', () => {
		expect(decisionLine({ verdict: { type: 'allow' }, source: 'rule', ruleId: 'r1' })).toBe('12:34:56  ✓ Allowed by rule r1');
		expect(decisionLine({ verdict: { type: 'allow' }, source: 'user', principal: 'lea@cli' })).toBe(
			'12:34:56  ✓ Allowed by lea@cli',
		);
		expect(decisionLine({ verdict: { type: 'deny', message: 'no' }, source: 'user' })).toBe('12:34:56  ✗ Denied: no (by you)');
		expect(decisionLine({ verdict: { type: 'none' }, source: 'timeout', reason: 'late' })).toBe(
			'12:34:56  – No opinion: late (timed out)',
		);
	});

	it('shows the first lines of a result, and all of them with --full', () => {
		const stdout = 'one\ntwo\nthree\nfour\x1b[2J\nfive\n';
		const result = eventOf('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'x' }, tool_response: { stdout } });
		const indent = ' '.repeat(12);
		expect(toFeedText(result, PLAIN).split('\n')).toEqual([
			'12:34:56  ⎿ Bash result',
			...['one', 'two', 'three', '… 2 more lines (--full)'].map((line) => `${indent}${line}`),
		]);
		expect(
			toFeedText(result, { ...PLAIN, full: true })
				.split('\n')
				.slice(1),
		).toEqual(['one', 'two', 'three', 'four\\x1b[2J', 'five'].map((line) => `${indent}${line}`));
	});

	it.each([
		['a file', { file: { content: 'x\ny', numLines: 2 } }, ['x', 'y']],
		['matches', { filenames: ['a.ts', 'b.ts'] }, ['a.ts', 'b.ts']],
		['blocks', [{ type: 'text', text: 'said' }], ['said']],
		['output and errors', { stdout: 'out\n', stderr: 'err' }, ['out', 'err']],
		['other results, only in full', { ok: true }, []],
		['nothing', null, []],
	])('shows the result of a tool as text: %s', (_, tool_response, lines) => {
		const result = eventOf('PostToolUse', { tool_name: 'T', tool_input: {}, tool_response });
		expect(
			toFeedText(result, PLAIN)
				.split('\n')
				.slice(1)
				.map((line) => line.trim()),
		).toEqual(lines);
	});

	it('shows a non-text result as JSON with --full', () => {
		const result = eventOf('PostToolUse', { tool_name: 'T', tool_input: {}, tool_response: { ok: true } });
		expect(toFeedText(result, { ...PLAIN, full: true })).toMatch(/\n +\{\n +"ok": true\n +\}$/);
	});

	it('shows long prompts in full only with --full', () => {
		const prompt = eventOf('UserPromptSubmit', { prompt: 'first\nsecond' });
		expect(toFeedText(prompt, PLAIN)).toBe('12:34:56  ❯ first …');
		expect(
			toFeedText(prompt, { ...PLAIN, full: true })
				.split('\n')
				.slice(1)
				.map((line) => line.trim()),
		).toEqual(['first', 'second']);
	});

	it('escapes control characters of an agent', () => {
		expect(lineOf('Notification', { message: 'a\u001b[2Jb\rc' })).toBe('12:34:56  a\\x1b[2Jb\\rc');
	});

	it('is coloured only on a capable terminal without NO_COLOR', () => {
		const terminal = Object.assign(Object.create(process.stdout), { isTTY: true });
		expect(styleFor(terminal, {})).toEqual({ colour: true });
		expect(styleFor(terminal, { NO_COLOR: '1' })).toEqual({ colour: false });
		expect(styleFor(terminal, { TERM: 'dumb' })).toEqual({ colour: false });
		expect(styleFor(Object.assign(Object.create(process.stdout), { isTTY: undefined }), {})).toEqual({ colour: false });
	});

	it('shows denials in red', () => {
		expect(
			toFeedLine(decided({ verdict: { type: 'deny', message: 'no' }, source: 'rule', reason: 'no' }), { colour: true }),
		).toBe('\x1b[31m12:34:56  ✗ Denied: no (by a rule)\x1b[0m');
	});
});

function lineOf(hookName: string, payload: Record<string, unknown>): string {
	return toFeedLine(eventOf(hookName, payload), PLAIN);
}

function eventOf(hookName: string, payload: Record<string, unknown>): FeedEvent {
	const event = createFeedMapper(sessionId.parse('s'))
		.mapEvent(report('e', hookName, payload))
		.at(-1);
	if (!event) throw new Error('no event');
	return event;
}

function decisionLine(decision: RuntimeDecision): string {
	return toFeedLine(decided(decision), PLAIN);
}

function decided(decision: RuntimeDecision): FeedEvent {
	const mapper = createFeedMapper(sessionId.parse('s'));
	mapper.mapEvent(report('p', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }));
	const event = mapper.mapDecision('p', decision, NOON);
	if (!event) throw new Error('no decision event');
	return event;
}

function report(id: string, hookName: string, payload: Record<string, unknown>): RuntimeEvent {
	return {
		id,
		timestamp: NOON,
		sessionId: 'n',
		context: { cwd: '/', transcriptPath: '' },
		interaction: { expectsDecision: false },
		...readReport(hookName, payload),
	};
}
