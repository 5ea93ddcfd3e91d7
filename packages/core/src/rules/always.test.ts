import type { AskRow } from '@roost/protocol/ask';
import type { Rule } from '@roost/protocol/rule';
import { sampleAsk, sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { type Always, aboutsOf, coversCall, startAlways, toAnswer } from './always.ts';
import { alwaysSentence } from './always-words.ts';

const shell = (command: string) => sampleAsk('a', { tool: 'Bash', input: { command }, risk: 'medium' });
const MCP = sampleAsk('a', { tool: 'mcp__github__create_issue', input: { title: 'x' } });

describe('always', () => {
	it('starts with a rule for similar commands in this session', () => {
		const ask = shell('npm test --watch');
		const always = start(ask);
		expect(toAnswer(always, ask)).toEqual({
			ok: true,
			value: { decision: 'allow', persist: true, scope: 'session', rule: { tool: 'Bash', argsPattern: 'npm test *' } },
		});
		expect(coversCall(always, ask)).toBe(true);
		expect(alwaysSentence(always, ask)).toBe('The rule: allow Bash npm test * in this session, and allow this one.');
	});

	it('makes one rule for each command that no rule allows yet', () => {
		const ask = shell('touch a && echo b | wc -l');
		const always = start(ask, [sampleRule('r', { argsPattern: 'touch *', scopeId: ask.sessionId })]);
		expect(toAnswer(always, ask)).toMatchObject({ value: { rules: [{ argsPattern: 'echo *' }, { argsPattern: 'wc *' }] } });
		expect(alwaysSentence(always, ask)).toBe('2 rules: allow Bash in this session, and allow this one.');
	});

	it('makes no rule from an empty pattern', () => {
		const ask = shell('touch a && echo b');
		const always = start(ask);
		const emptied = (...allow: string[]): Always => ({ ...always, patterns: { ...always.patterns, allow } });
		expect(toAnswer(emptied('touch *', ' '), ask)).toMatchObject({ value: { rule: { argsPattern: 'touch *' } } });
		expect(coversCall(emptied('touch *', ' '), ask)).toBe(false);
		expect(toAnswer(emptied('', ' '), ask)).toMatchObject({ ok: false, error: { code: 'bad_request' } });
	});

	it('offers the tool and the server of an MCP call', () => {
		expect(aboutsOf(MCP)).toEqual(['tool', 'pattern', 'server']);
		const always: Always = { ...start(MCP), about: 'server', decision: 'deny', scope: 'user' };
		expect(toAnswer(always, MCP)).toMatchObject({ value: { decision: 'deny', scope: 'user', rule: { tool: 'mcp__github__*' } } });
		expect(alwaysSentence(always, MCP)).toBe('The rule: deny every tool of github in all my projects, and deny this one.');
	});
});

function start(ask: AskRow, rules: readonly Rule[] = []): Always {
	return startAlways(ask, { rules, scope: { sessionId: ask.sessionId, projectId: 'p' } });
}
