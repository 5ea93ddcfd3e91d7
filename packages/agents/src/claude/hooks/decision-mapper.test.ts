import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { Verdict } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { HOOK_NAMES } from '../../hooks/hook-names.ts';
import { fitDecision, mapDecisionToResult, mapEnvelopeToRuntimeEvent } from './decision-mapper.ts';

const QUESTIONS = [
	{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Red', description: '' }], multiSelect: false },
];

function event(hookName: string, toolInput: unknown = { command: 'ls' }) {
	const payload = { hook_event_name: hookName, tool_name: 'Bash', tool_input: toolInput };
	return mapEnvelopeToRuntimeEvent({ request_id: 'r1', ts: 1, session_id: 's1', hook_event_name: hookName, payload });
}

function output(hookName: string, verdict: Verdict, toolInput?: unknown): unknown {
	const result = mapDecisionToResult(event(hookName, toolInput), { verdict, source: 'user' });
	return result.action === 'json_output' ? result.stdout_json : result.action;
}

const preToolUse = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const permission = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

describe('mapDecisionToResult on PreToolUse', () => {
	it.each<[Verdict, object]>([
		[{ type: 'allow' }, { permissionDecision: 'allow' }],
		[
			{ type: 'allow', updatedInput: { command: 'ls -l' } },
			{ permissionDecision: 'allow', updatedInput: { command: 'ls -l' } },
		],
		[
			{ type: 'deny', message: 'No' },
			{ permissionDecision: 'deny', permissionDecisionReason: 'No' },
		],
		[{ type: 'ask' }, { permissionDecision: 'ask' }],
		[
			{ type: 'ask', message: 'look' },
			{ permissionDecision: 'ask', permissionDecisionReason: 'look' },
		],
	])('%j', (verdict, expected) => {
		expect(output('PreToolUse', verdict)).toEqual(preToolUse(expected));
	});
});

describe('mapDecisionToResult on PermissionRequest', () => {
	it.each<[Verdict, object]>([
		[{ type: 'allow' }, { behavior: 'allow' }],
		[
			{ type: 'allow', updatedInput: { command: 'x' }, updatedPermissions: [{ type: 'setMode' }] },
			{ behavior: 'allow', updatedInput: { command: 'x' }, updatedPermissions: [{ type: 'setMode' }] },
		],
		[
			{ type: 'deny', message: 'No' },
			{ behavior: 'deny', message: 'No' },
		],
		[
			{ type: 'deny', message: 'No', interrupt: true },
			{ behavior: 'deny', message: 'No', interrupt: true },
		],
	])('%j', (verdict, expected) => {
		expect(output('PermissionRequest', verdict)).toEqual(permission(expected));
	});
});

describe('mapDecisionToResult in general', () => {
	it('returns the original questions with answers keyed by question text', () => {
		const verdict: Verdict = { type: 'answer', answers: { 'Which colour?': 'Red' } };
		const updatedInput = { questions: QUESTIONS, answers: { 'Which colour?': 'Red' } };
		expect(output('PreToolUse', verdict, { questions: QUESTIONS })).toEqual(
			preToolUse({ permissionDecision: 'allow', updatedInput }),
		);
		expect(output('PermissionRequest', verdict, { questions: QUESTIONS })).toEqual(
			permission({ behavior: 'allow', updatedInput }),
		);
	});

	it('passes through an answer to a tool that asked no question', () => {
		const verdict: Verdict = { type: 'answer', answers: { x: 'y' } };
		for (const input of [{ command: 'ls' }, { questions: 'no list' }, null])
			expect(output('PreToolUse', verdict, input)).toBe('passthrough');
	});

	it('blocks a denied stop with its reason', () => {
		for (const name of ['Stop', 'SubagentStop']) {
			expect(output(name, { type: 'deny', message: 'not yet' })).toEqual({ decision: 'block', reason: 'not yet' });
		}
	});

	it('denies in the format of each hook that can block, and passes through for all others', () => {
		const block: RuntimeDecision = { verdict: { type: 'deny', message: 'No' }, source: 'rule', reason: 'No' };
		const spoken = HOOK_NAMES.flatMap((name) => {
			const result = mapDecisionToResult(event(name), block);
			return result.action === 'json_output' ? [[name, result.stdout_json]] : [];
		});
		expect(Object.fromEntries(spoken)).toEqual({
			PreToolUse: preToolUse({ permissionDecision: 'deny', permissionDecisionReason: 'No' }),
			PermissionRequest: permission({ behavior: 'deny', message: 'No' }),
			Stop: { decision: 'block', reason: 'No' },
			SubagentStop: { decision: 'block', reason: 'No' },
			UserPromptSubmit: { decision: 'block', reason: 'No' },
		});
	});

	it('passes through a verdict of none for every hook', () => {
		for (const name of HOOK_NAMES)
			expect(mapDecisionToResult(event(name), { verdict: { type: 'none' }, source: 'timeout' })).toEqual({
				action: 'passthrough',
			});
	});
});

describe('fitDecision', () => {
	const misfit: RuntimeDecision = { verdict: { type: 'answer', answers: { x: 'y' } }, source: 'user', principal: 'ada@tui' };

	it('keeps a decision that the hook supports', () => {
		const decision: RuntimeDecision = { verdict: { type: 'allow' }, source: 'user' };
		expect(fitDecision(event('PreToolUse'), decision, 'enforce')).toBe(decision);
	});

	it('replaces an unsupported decision with none when observing', () => {
		expect(fitDecision(event('PreToolUse'), misfit, 'observe')).toMatchObject({
			verdict: { type: 'none' },
			source: 'system',
			reason: 'answer is not supported by PreToolUse',
		});
	});

	it('denies on an unsupported decision when enforcing, if the hook can block', () => {
		expect(fitDecision(event('PermissionRequest'), misfit, 'enforce').verdict.type).toBe('deny');
		expect(fitDecision(event('PostToolUse'), misfit, 'enforce').verdict.type).toBe('none');
	});
});
