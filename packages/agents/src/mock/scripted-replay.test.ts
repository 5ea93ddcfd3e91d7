import type { RuntimeEvent } from '@roost/core/runtime/event';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createMockRuntime, type MockScript } from './scripted-replay.ts';

function play(script: MockScript, speed = 1) {
	const timers = createManualTimers(5000);
	const runtime = createMockRuntime(script, { timers, now: timers.now, speed });
	const reported: RuntimeEvent[] = [];
	runtime.onEvent((event) => reported.push(event));
	runtime.start();
	return { timers, runtime, sent: reported, names: () => reported.map((event) => event.hookName) };
}

describe('createMockRuntime', () => {
	it('emits each event after its delay, relative to the previous one', () => {
		const { timers, names } = play([
			{ delayMs: 10, event: { hookName: 'SessionStart' } },
			{ delayMs: 20, event: { hookName: 'Stop' } },
		]);
		timers.advance(9);
		expect(names()).toEqual([]);
		timers.advance(1);
		expect(names()).toEqual(['SessionStart']);
		timers.advance(19);
		expect(names()).toEqual(['SessionStart']);
		timers.advance(1);
		expect(names()).toEqual(['SessionStart', 'Stop']);
	});

	it('plays faster at a higher speed', () => {
		const { timers, names } = play([{ delayMs: 100, event: { hookName: 'Stop' } }], 10);
		timers.advance(10);
		expect(names()).toEqual(['Stop']);
	});

	it('fills in the missing fields of an entry', () => {
		const { timers, sent: reported } = play([
			{ delayMs: 1, event: { hookName: 'PermissionRequest', toolName: 'Bash', payload: { tool_input: {} } } },
		]);
		timers.advance(1);
		expect(reported).toEqual([
			{
				id: 'mock-1',
				timestamp: 5001,
				hookName: 'PermissionRequest',
				sessionId: 'mock-session',
				toolName: 'Bash',
				context: { cwd: '/mock/project', transcriptPath: '', permissionMode: 'default' },
				interaction: { expectsDecision: true, defaultTimeoutMs: 300_000, canBlock: true },
				payload: {
					hook_event_name: 'PermissionRequest',
					session_id: 'mock-session',
					cwd: '/mock/project',
					transcript_path: '',
					permission_mode: 'default',
					tool_name: 'Bash',
					tool_input: {},
				},
			},
		]);
	});

	it.each([
		['on the entry itself', ['ask', undefined]],
		['on the entry that follows', [undefined, 'ask']],
	])('pauses until a decision arrives if requested %s', (_where, [own, next]) => {
		const { timers, runtime, names } = play([
			{ delayMs: 10, event: { id: 'ask', hookName: 'PermissionRequest' }, ...(own ? { awaitDecisionForId: own } : {}) },
			{ delayMs: 10, event: { hookName: 'PostToolUse' }, ...(next ? { awaitDecisionForId: next } : {}) },
		]);
		timers.advance(1000);
		expect(names()).toEqual(['PermissionRequest']);
		runtime.sendDecision('ask', { verdict: { type: 'allow' }, source: 'user' });
		timers.advance(9);
		expect(names()).toEqual(['PermissionRequest']);
		timers.advance(1);
		expect(names()).toEqual(['PermissionRequest', 'PostToolUse']);
	});

	it('does not wait for a decision that was already made', () => {
		const { timers, runtime, names } = play([
			{ delayMs: 0, event: { id: 'ask', hookName: 'PermissionRequest' } },
			{ delayMs: 10, event: { hookName: 'Stop' } },
			{ delayMs: 10, event: { hookName: 'SessionEnd' }, awaitDecisionForId: 'ask' },
		]);
		timers.advance(0);
		runtime.sendDecision('ask', { verdict: { type: 'none' }, source: 'rule' });
		timers.advance(20);
		expect(names()).toEqual(['PermissionRequest', 'Stop', 'SessionEnd']);
	});

	it('continues at the deadline without a decision', () => {
		const { timers, names } = play([
			{ delayMs: 0, event: { id: 'ask', hookName: 'PermissionRequest' }, awaitDecisionForId: 'ask' },
			{ delayMs: 0, event: { hookName: 'Stop' } },
		]);
		timers.advance(300_000);
		expect(names()).toEqual(['PermissionRequest', 'Stop']);
	});

	it('pauses when stopped, and continues with the next entry when restarted', () => {
		const { timers, runtime, names } = play([
			{ delayMs: 10, event: { hookName: 'SessionStart' } },
			{ delayMs: 10, event: { hookName: 'Stop' } },
		]);
		timers.advance(10);
		runtime.stop();
		timers.advance(100);
		expect(names()).toEqual(['SessionStart']);
		runtime.start();
		timers.advance(10);
		expect(names()).toEqual(['SessionStart', 'Stop']);
	});

	it('reports an id that a script uses twice', () => {
		const { timers, names } = play([
			{ delayMs: 0, event: { id: 'x', hookName: 'Stop' } },
			{ delayMs: 0, event: { id: 'x', hookName: 'Stop' } },
		]);
		timers.advance(0);
		expect(names()).toEqual(['Stop', 'RuntimeError']);
	});
});
