import { describe, expect, it } from 'vitest';
import { claudeGuardWire } from './guard-wire.ts';

const payload = {
	hook_event_name: 'PreToolUse',
	tool_name: 'Bash',
	tool_input: { command: 'ls' },
	cwd: '/home/dev',
	session_id: 'x',
};

describe('Claude guard protocol', () => {
	it('reads tool, input and working directory of a call', () => {
		expect(claudeGuardWire.readCall(payload)).toEqual({ tool: 'Bash', input: { command: 'ls' }, cwd: '/home/dev' });
	});

	it('rejects a call with missing or malformed fields', () => {
		const others = [
			undefined,
			'x',
			[],
			{},
			{ ...payload, hook_event_name: 'PostToolUse' },
			{ ...payload, tool_name: '' },
			{ ...payload, tool_name: 7 },
			{ ...payload, cwd: undefined },
			{ ...payload, tool_input: 'ls' },
			{ ...payload, tool_input: null },
		];
		for (const other of others) expect(claudeGuardWire.readCall(other)).toBe(null);
	});

	it('denies with both JSON and a blocking exit code, and allows silently', () => {
		expect(claudeGuardWire.say({ allowed: true })).toEqual({ stdout: '', exitCode: 0 });
		const message = claudeGuardWire.say({ allowed: false, reason: 'no' });
		expect(message).toMatchObject({ stderr: 'no', exitCode: 2 });
		expect(JSON.parse(message.stdout)).toEqual({
			hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
		});
	});
});
