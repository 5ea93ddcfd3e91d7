import type { PermissionUpdate } from '@anthropic-ai/claude-agent-sdk';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { Verdict } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { fitVerdict, toHookVerdict } from '../../live/verdict.ts';
import { toHookOutput, toPermissionResult } from './gate.ts';

const questions = [{ question: 'Which?', header: 'H', options: [] }];
const event = (hookName: string): RuntimeEvent => ({
	id: 'e',
	timestamp: 0,
	sessionId: 's',
	context: { cwd: '/', transcriptPath: '' },
	interaction: { expectsDecision: true },
	...readReport(hookName, { tool_name: 'AskUserQuestion', tool_input: { questions } }),
});
const says = (verdict: Verdict): RuntimeDecision => ({ verdict, source: 'user' });
const answerOf = (hook: string, decision: RuntimeDecision) => {
	const verdict = toHookVerdict(event(hook), decision);
	return verdict && toHookOutput(verdict);
};
const asked = { input: { command: 'ls' }, suggestions: [] };
const permitted = (decision: RuntimeDecision, suggestions: PermissionUpdate[] = []) => {
	const verdict = toHookVerdict(event('PermissionRequest'), decision);
	return verdict && toPermissionResult(verdict, { ...asked, suggestions });
};

describe('gate verdicts', () => {
	it('return empty output for a verdict of none', () => {
		expect(answerOf('PreToolUse', { verdict: { type: 'none' }, source: 'rule' })).toEqual({});
	});

	it.each([
		[
			{ type: 'allow', updatedInput: { a: 1 } },
			{ permissionDecision: 'allow', updatedInput: { a: 1 } },
		],
		[{ type: 'allow' }, { permissionDecision: 'allow' }],
		[
			{ type: 'deny', message: 'no' },
			{ permissionDecision: 'deny', permissionDecisionReason: 'no' },
		],
		[
			{ type: 'ask', message: 'hm' },
			{ permissionDecision: 'ask', permissionDecisionReason: 'hm' },
		],
		[
			{ type: 'answer', answers: { 'Which?': 'A' } },
			{ permissionDecision: 'allow', updatedInput: { questions, answers: { 'Which?': 'A' } } },
		],
	] as const)('map %j to the hook output', (verdict, output) => {
		expect(answerOf('PreToolUse', says(verdict))).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } });
	});

	it('turn an unsupported verdict into a denial when enforcing, and into none when observing', () => {
		const decision = says({ type: 'ask' });
		expect(fitVerdict(event('PermissionRequest'), decision, 'enforce')).toMatchObject({
			verdict: { type: 'deny' },
			source: 'system',
		});
		expect(fitVerdict(event('PermissionRequest'), decision, 'observe')).toMatchObject({
			verdict: { type: 'none' },
			source: 'system',
		});
		const possible = says({ type: 'deny', message: 'no' });
		expect(fitVerdict(event('PreToolUse'), possible, 'enforce')).toBe(possible);
	});
});

describe('permission results', () => {
	it.each([
		{ verdict: { type: 'none' }, source: 'timeout' },
		{ verdict: { type: 'deny', message: 'no' }, source: 'rule', reason: 'no' },
	] as const)('deny for %j', (decision) => {
		expect(permitted(decision)).toMatchObject({ behavior: 'deny', message: expect.any(String) });
	});

	it('keep the input of an allowed call unless it was edited', () => {
		expect(permitted(says({ type: 'allow' }))).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
		expect(permitted(says({ type: 'allow', updatedInput: { command: 'pwd' } }))).toEqual({
			behavior: 'allow',
			updatedInput: { command: 'pwd' },
		});
	});

	it('include message and interrupt flag of a denial', () => {
		const refusal = says({ type: 'deny', message: 'not now', interrupt: true });
		expect(permitted(refusal)).toEqual({ behavior: 'deny', message: 'not now', interrupt: true });
	});

	it('grant only permissions that Claude suggested, and only for this session', () => {
		const rule: PermissionUpdate = {
			type: 'addRules',
			rules: [{ toolName: 'Bash', ruleContent: 'ls *' }],
			behavior: 'allow',
			destination: 'localSettings',
		};
		const wanted = [{ ...rule }, { type: 'setMode', mode: 'bypassPermissions', destination: 'session' }];
		expect(permitted(says({ type: 'allow', updatedPermissions: wanted }), [rule])).toMatchObject({
			updatedPermissions: [{ ...rule, destination: 'session' }],
		});
	});
});
