import { describe, expect, it } from 'vitest';
import { claudeGuardWire } from './guard-wire.ts';

const payload = {
	hook_event_name: 'PreToolUse',
	tool_name: 'Bash',
	tool_input: { command: 'ls' },
	cwd: '/home/dev',
	session_id: 'x',
};

describe('how Claude asks its guard', () => {
	it('names the tool, what it is given and where', () => {
		expect(claudeGuardWire.readCall(payload)).toEqual({ tool: 'Bash', input: { command: 'ls' }, cwd: '/home/dev' });
	});

	it('is not understood where anything of that is missing', () => {
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

	it('hears a refusal twice, as JSON and as an exit that blocks, and nothing of an allow', () => {
		expect(claudeGuardWire.say({ allowed: true })).toEqual({ stdout: '', exitCode: 0 });
		const said = claudeGuardWire.say({ allowed: false, reason: 'no' });
		expect(said).toMatchObject({ stderr: 'no', exitCode: 2 });
		expect(JSON.parse(said.stdout)).toEqual({
			hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
		});
	});
});
