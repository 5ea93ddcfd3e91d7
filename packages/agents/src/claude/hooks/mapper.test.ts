import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapEnvelopeToRuntimeEvent } from './decision-mapper.ts';

const preToolUse = {
	hook_event_name: 'PreToolUse',
	session_id: 's1',
	transcript_path: '/t.jsonl',
	cwd: '/project',
	permission_mode: 'default',
	tool_name: 'Bash',
	tool_input: { command: 'ls' },
	tool_use_id: 'tu1',
};

function map(payload: unknown, hookName = 'PreToolUse') {
	return mapEnvelopeToRuntimeEvent({ request_id: 'r1', ts: 1000, session_id: 's1', hook_event_name: hookName, payload });
}

describe('mapEnvelopeToRuntimeEvent', () => {
	it('reads identity from the envelope and everything else from the payload', () => {
		expect(map(preToolUse)).toEqual({
			id: 'r1',
			timestamp: 1000,
			hookName: 'PreToolUse',
			sessionId: 's1',
			toolName: 'Bash',
			toolUseId: 'tu1',
			context: { cwd: '/project', transcriptPath: '/t.jsonl', permissionMode: 'default' },
			interaction: { expectsDecision: true, defaultTimeoutMs: 4000, canBlock: true },
			payload: preToolUse,
		});
	});

	it('includes the subagent whenever the payload names it', () => {
		for (const hookName of ['SubagentStart', 'PreToolUse', 'PermissionRequest', 'PostToolBatch', 'StopFailure', 'SomethingNew']) {
			expect(map({ agent_id: 'a1', agent_type: 'Explore' }, hookName)).toMatchObject({ agentId: 'a1', agentType: 'Explore' });
		}
		expect(map(preToolUse)).not.toHaveProperty('agentId');
	});

	it('does not invent a tool use id for a PermissionRequest', () => {
		const { tool_use_id: _, ...permission } = preToolUse;
		expect(map(permission, 'PermissionRequest')).not.toHaveProperty('toolUseId');
	});

	it('wraps a payload that is not an object', () => {
		for (const value of ['text', 7, null, [1], true]) expect(map(value).payload).toEqual({ value });
	});

	it('passes unknown hooks with safe defaults', () => {
		expect(map({}, 'FutureEvent')).toMatchObject({
			hookName: 'FutureEvent',
			interaction: { expectsDecision: false, canBlock: false },
		});
	});

	it('ignores fields of the wrong type', () => {
		const event = map({ tool_name: 7, tool_use_id: {}, agent_id: [], cwd: null, transcript_path: false, permission_mode: 1 });
		expect(event).not.toHaveProperty('toolName');
		expect(event.context).toEqual({ cwd: '', transcriptPath: '' });
	});

	it('keeps any payload completely without throwing', () => {
		fc.assert(
			fc.property(fc.anything(), fc.string(), (payload, hookName) => {
				const event = map(payload, hookName);
				const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
				expect(event.payload).toEqual(isObject ? payload : { value: payload });
			}),
		);
	});
});
