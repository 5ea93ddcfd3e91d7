// Titles use plain words; unknown names are shown as they are.
import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const LS = { tool_name: 'Bash', tool_input: { command: 'ls' } };

describe('wording of titles', () => {
	it('describes how a session began and why it ended', () => {
		expect(titleOf('session.start', { source: 'startup', model: 'opus' })).toBe('Session started (opus)');
		expect(titleOf('session.start', { source: 'fork' })).toBe('Session forked');
		expect(titleOf('session.native', { agent: 'claude', native_id: 'n1', reason: 'startup' })).toBe('claude session n1');
		expect(titleOf('session.native', { agent: 'claude', native_id: 'n2', reason: 'resume' })).toBe('claude session n2: resumed');
		expect(titleOf('session.end', { reason: 'prompt_input_exit' })).toBe('Session ended: the user exited');
		expect(titleOf('session.end', { reason: 'other' })).toBe('Session ended');
	});

	it('describes why an agent stopped', () => {
		expect(titleOf('stop.failure', { error: 'rate_limit' })).toBe('Stopped by an error: rate limit reached');
		expect(titleOf('stop.failure', { error: 'unknown' })).toBe('Stopped by an error');
		expect(titleOf('stop.failure', { error: 'unknown', last_assistant_message: 'API Error: 400' })).toBe(
			'Stopped by an error: API Error: 400',
		);
	});

	it('does not show an exit code of -1', () => {
		expect(titleOf('tool.failure', { ...LS, error: 'Exit code -1\nout' })).toBe('Bash failed: No exit code …');
		expect(titleOf('tool.failure', { ...LS, error: 'Exit code 13' })).toBe('Bash failed: Exit code 13');
	});

	it('describes triggers and outcomes', () => {
		expect(titleOf('compact.pre', { trigger: 'auto' })).toBe('Compacting automatically');
		expect(titleOf('config.change', { source: 'user_settings' })).toBe('Settings changed: user settings');
		expect(titleOf('file.change', { file_path: '/a', event: 'unlink' })).toBe('File removed: /a');
		expect(titleOf('elicitation.result', { mcp_server_name: 'lab', action: 'cancel' })).toBe('lab: cancelled');
		expect(titleOf('runtime.status', { status: 'gap' })).toBe('Something was missed');
	});

	it('falls back to the name of an unknown value', () => {
		expect(titleOf('session.end', { reason: 'eclipse' })).toBe('Session ended: eclipse');
		expect(titleOf('session.end', { reason: 'toString' })).toBe('Session ended: toString');
		expect(titleOf('stop.failure', { error: 'novelty' })).toBe('Stopped by an error: novelty');
	});
});
