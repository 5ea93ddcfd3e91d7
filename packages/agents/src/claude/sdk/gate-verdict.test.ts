import type { PermissionUpdate } from '@anthropic-ai/claude-agent-sdk';
import type { RuntimeDecision, RuntimeIntent } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import { describe, expect, it } from 'vitest';
import { fitVerdict, toVerdict } from '../../live/verdict.ts';
import { toHookOutput, toPermissionResult } from './gate-verdict.ts';

const questions = [{ question: 'Which?', header: 'H', options: [] }];
const event = (hookName: string): RuntimeEvent => ({
	id: 'e',
	timestamp: 0,
	sessionId: 's',
	context: { cwd: '/', transcriptPath: '' },
	interaction: { expectsDecision: true },
	...readReport(hookName, { tool_name: 'AskUserQuestion', tool_input: { questions } }),
});
const says = (intent: RuntimeIntent): RuntimeDecision => ({ type: 'json', source: 'user', intent });
const said = (hook: string, decision: RuntimeDecision) => {
	const verdict = toVerdict(event(hook), decision);
	return verdict && toHookOutput(verdict);
};
const asked = { input: { command: 'ls' }, suggestions: [] };
const permitted = (decision: RuntimeDecision, suggestions: PermissionUpdate[] = []) => {
	const verdict = toVerdict(event('PermissionRequest'), decision);
	return verdict && toPermissionResult(verdict, { ...asked, suggestions });
};

describe('at the gate', () => {
	it('no opinion is silence', () => {
		expect(said('PreToolUse', { type: 'passthrough', source: 'rule' })).toEqual({});
	});

	it.each([
		[
			{ kind: 'pre_tool_allow', updatedInput: { a: 1 }, additionalContext: 'c' },
			{ permissionDecision: 'allow', updatedInput: { a: 1 }, additionalContext: 'c' },
		],
		[{ kind: 'permission_allow' }, { permissionDecision: 'allow' }],
		[
			{ kind: 'pre_tool_deny', reason: 'no' },
			{ permissionDecision: 'deny', permissionDecisionReason: 'no' },
		],
		[
			{ kind: 'pre_tool_ask', reason: 'hm' },
			{ permissionDecision: 'ask', permissionDecisionReason: 'hm' },
		],
		[
			{ kind: 'question_answer', answers: { 'Which?': 'A' } },
			{ permissionDecision: 'allow', updatedInput: { questions, answers: { 'Which?': 'A' } } },
		],
	] as const)('%j is said in its own words', (intent, output) => {
		expect(said('PreToolUse', says(intent))).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } });
	});

	it('what cannot be said is a refusal where Roost is the gate, and silence elsewhere', () => {
		const decision = says({ kind: 'pre_tool_defer' });
		expect(fitVerdict(event('PreToolUse'), decision, 'enforce')).toMatchObject({ type: 'block', source: 'system' });
		expect(fitVerdict(event('PreToolUse'), decision, 'observe')).toMatchObject({ type: 'passthrough', source: 'system' });
		const possible = says({ kind: 'pre_tool_deny', reason: 'no' });
		expect(fitVerdict(event('PreToolUse'), possible, 'enforce')).toBe(possible);
	});
});

describe('where Claude asks for permission', () => {
	it.each([
		{ type: 'passthrough', source: 'timeout' },
		{ type: 'block', source: 'rule', reason: 'no' },
	] as const)('%j is no allow', (decision) => {
		expect(permitted(decision)).toMatchObject({ behavior: 'deny', message: expect.any(String) });
	});

	it('an allow keeps the input unless it was edited', () => {
		expect(permitted(says({ kind: 'permission_allow' }))).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
		expect(permitted(says({ kind: 'permission_allow', updatedInput: { command: 'pwd' } }))).toEqual({
			behavior: 'allow',
			updatedInput: { command: 'pwd' },
		});
	});

	it('a refusal carries its message, and whether all shall stop', () => {
		const refusal = says({ kind: 'permission_deny', reason: 'not now', interrupt: true });
		expect(permitted(refusal)).toEqual({ behavior: 'deny', message: 'not now', interrupt: true });
	});

	it('only what Claude suggested is granted, and only for this session', () => {
		const rule: PermissionUpdate = {
			type: 'addRules',
			rules: [{ toolName: 'Bash', ruleContent: 'ls *' }],
			behavior: 'allow',
			destination: 'localSettings',
		};
		const wanted = [{ ...rule }, { type: 'setMode', mode: 'bypassPermissions', destination: 'session' }];
		expect(permitted(says({ kind: 'permission_allow', updatedPermissions: wanted }), [rule])).toMatchObject({
			updatedPermissions: [{ ...rule, destination: 'session' }],
		});
	});
});
