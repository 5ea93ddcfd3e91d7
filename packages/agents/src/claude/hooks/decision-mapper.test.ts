import type { RuntimeDecision, RuntimeIntent } from '@roost/core/runtime/decision';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitDecision, mapDecisionToResult } from './decision-mapper.ts';
import { HOOK_NAMES } from './hook-names.ts';
import { mapEnvelopeToRuntimeEvent } from './mapper.ts';

const QUESTIONS = [
	{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Red', description: '' }], multiSelect: false },
];

function event(hookName: string, toolInput: unknown = { command: 'ls' }) {
	const payload = { hook_event_name: hookName, tool_name: 'Bash', tool_input: toolInput };
	return mapEnvelopeToRuntimeEvent({ request_id: 'r1', ts: 1, session_id: 's1', hook_event_name: hookName, payload });
}

function output(hookName: string, intent: RuntimeIntent, toolInput?: unknown): unknown {
	const result = mapDecisionToResult(event(hookName, toolInput), { type: 'json', source: 'user', intent });
	return result.action === 'json_output' ? result.stdout_json : result.action;
}

const preToolUse = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const permission = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

describe('mapDecisionToResult on PreToolUse', () => {
	it.each<[RuntimeIntent, object]>([
		[{ kind: 'pre_tool_allow' }, { permissionDecision: 'allow' }],
		[
			{ kind: 'pre_tool_allow', updatedInput: { command: 'ls -l' }, additionalContext: 'note' },
			{ permissionDecision: 'allow', updatedInput: { command: 'ls -l' }, additionalContext: 'note' },
		],
		[
			{ kind: 'pre_tool_deny', reason: 'No' },
			{ permissionDecision: 'deny', permissionDecisionReason: 'No' },
		],
		[
			{ kind: 'pre_tool_deny', reason: 'No', additionalContext: 'note' },
			{ permissionDecision: 'deny', permissionDecisionReason: 'No', additionalContext: 'note' },
		],
		[{ kind: 'pre_tool_ask' }, { permissionDecision: 'ask' }],
		[
			{ kind: 'pre_tool_ask', reason: 'look', updatedInput: { command: 'x' }, additionalContext: 'note' },
			{ permissionDecision: 'ask', permissionDecisionReason: 'look', updatedInput: { command: 'x' }, additionalContext: 'note' },
		],
		[
			{ kind: 'pre_tool_defer', reason: 'later' },
			{ permissionDecision: 'defer', permissionDecisionReason: 'later' },
		],
		[
			{ kind: 'permission_allow', updatedInput: { command: 'x' } },
			{ permissionDecision: 'allow', updatedInput: { command: 'x' } },
		],
		[
			{ kind: 'permission_deny', reason: 'No' },
			{ permissionDecision: 'deny', permissionDecisionReason: 'No' },
		],
	])('%j', (intent, expected) => {
		expect(output('PreToolUse', intent)).toEqual(preToolUse(expected));
	});
});

describe('mapDecisionToResult on PermissionRequest', () => {
	it.each<[RuntimeIntent, object]>([
		[{ kind: 'permission_allow' }, { behavior: 'allow' }],
		[
			{ kind: 'permission_allow', updatedInput: { command: 'x' }, updatedPermissions: [{ type: 'setMode' }] },
			{ behavior: 'allow', updatedInput: { command: 'x' }, updatedPermissions: [{ type: 'setMode' }] },
		],
		[
			{ kind: 'permission_deny', reason: 'No' },
			{ behavior: 'deny', message: 'No' },
		],
		[
			{ kind: 'permission_deny', reason: 'No', interrupt: true },
			{ behavior: 'deny', message: 'No', interrupt: true },
		],
		[
			{ kind: 'pre_tool_allow', updatedInput: { command: 'x' } },
			{ behavior: 'allow', updatedInput: { command: 'x' } },
		],
		[
			{ kind: 'pre_tool_deny', reason: 'No' },
			{ behavior: 'deny', message: 'No' },
		],
	])('%j', (intent, expected) => {
		expect(output('PermissionRequest', intent)).toEqual(permission(expected));
	});
});

describe('mapDecisionToResult elsewhere', () => {
	it('answers a question with the original questions beside the answers, keyed by question text', () => {
		const intent: RuntimeIntent = { kind: 'question_answer', answers: { 'Which colour?': 'Red' } };
		const updatedInput = { questions: QUESTIONS, answers: { 'Which colour?': 'Red' } };
		expect(output('PreToolUse', intent, { questions: QUESTIONS })).toEqual(
			preToolUse({ permissionDecision: 'allow', updatedInput }),
		);
		expect(output('PermissionRequest', intent, { questions: QUESTIONS })).toEqual(
			permission({ behavior: 'allow', updatedInput }),
		);
	});

	it('does not answer a tool that asked nothing', () => {
		const intent: RuntimeIntent = { kind: 'question_answer', answers: { x: 'y' } };
		for (const input of [{ command: 'ls' }, { questions: 'no list' }, null])
			expect(output('PreToolUse', intent, input)).toBe('passthrough');
	});

	it('holds a stop back', () => {
		for (const name of ['Stop', 'SubagentStop']) {
			expect(output(name, { kind: 'stop_block', reason: 'not yet' })).toEqual({ decision: 'block', reason: 'not yet' });
		}
		expect(output('PreToolUse', { kind: 'stop_block', reason: 'not yet' })).toBe('passthrough');
	});

	it('says block in the words of each hook, and nothing where there are none', () => {
		const block: RuntimeDecision = { type: 'block', source: 'rule', reason: 'No' };
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

	it('never says anything for passthrough, whatever else the decision carries', () => {
		const intent = fc.constantFrom<RuntimeIntent>({ kind: 'permission_allow' }, { kind: 'pre_tool_allow' });
		fc.assert(
			fc.property(fc.constantFrom(...HOOK_NAMES), intent, (name, carried) => {
				const decision: RuntimeDecision = {
					type: 'passthrough',
					source: 'timeout',
					intent: carried,
					data: { decision: 'approve' },
				};
				expect(mapDecisionToResult(event(name), decision)).toEqual({ action: 'passthrough' });
			}),
		);
	});

	it('says nothing for json without an intent: raw data is not trusted', () => {
		const decision: RuntimeDecision = {
			type: 'json',
			source: 'rule',
			data: { hookSpecificOutput: { permissionDecision: 'allow' } },
		};
		expect(mapDecisionToResult(event('PreToolUse'), decision)).toEqual({ action: 'passthrough' });
	});
});

describe('fitDecision', () => {
	const misfit: RuntimeDecision = {
		type: 'json',
		source: 'user',
		intent: { kind: 'stop_block', reason: 'x' },
		principal: 'ada@tui',
	};

	it('leaves alone what the hook can be told', () => {
		const decision: RuntimeDecision = { type: 'json', source: 'user', intent: { kind: 'pre_tool_allow' } };
		expect(fitDecision(event('PreToolUse'), decision, 'enforce')).toBe(decision);
	});

	it('turns what it cannot be told into no opinion when observing', () => {
		expect(fitDecision(event('PreToolUse'), misfit, 'observe')).toMatchObject({
			type: 'passthrough',
			source: 'system',
			reason: 'stop_block is not supported by PreToolUse',
		});
	});

	it('turns it into a refusal when enforcing, where there is something to refuse', () => {
		expect(fitDecision(event('PermissionRequest'), misfit, 'enforce').type).toBe('block');
		expect(fitDecision(event('PostToolUse'), misfit, 'enforce').type).toBe('passthrough');
	});
});
