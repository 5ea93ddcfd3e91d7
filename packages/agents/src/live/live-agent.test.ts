import type { RuntimeEvent } from '@roost/core/runtime/event';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { toPrompt } from '@roost/testkit/rigs/agents/driven-story';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../base/json-object.ts';
import { type LiveContext, type Opened, openLiveAgent, type Wire } from './live-agent.ts';

const CAPABILITIES = {
	agent: 'any',
	canBlock: true,
	canAsk: true,
	questionHook: null,
	allowHook: 'PermissionRequest',
	takesPrompts: true,
	canInterrupt: true,
	canResume: true,
	canLimitTurns: false,
	gate: { gated: true },
} as const;

/** An agent that is fully controlled by the test. */
function play(options: { refusal?: string; steers?: boolean } = {}) {
	const timers = createManualTimers();
	const opened = Promise.withResolvers<Result<Opened>>();
	const done: string[] = [];
	const reported = Promise.withResolvers<LiveContext>();
	const { runtime, connection } = openLiveAgent({
		capabilities: CAPABILITIES,
		title: 'Any',
		request: { cwd: '/project', gate: 'enforce', model: 'one' },
		refusal: options.refusal ?? null,
		timers,
		now: timers.now,
		connect(live): Wire {
			reported.resolve(live);
			return {
				open: () => opened.promise,
				prompt: ({ text }) => void done.push(`prompt ${text}`),
				steer: async ({ text }) => {
					done.push(`steer ${text}`);
					return options.steers ?? false;
				},
				interrupt: async () => void done.push('interrupt'),
				models: async () => null,
				setModel: async (model) => done.push(`model ${model}`) > 0,
				modeChanged: (mode) => void done.push(`mode ${mode}`),
				end: (graceMs) => void done.push(`end ${graceMs}`),
			};
		},
	});
	const events: RuntimeEvent[] = [];
	runtime.onEvent((event) => events.push(event));
	runtime.start();
	const hooks = () => events.map(({ hookName }) => hookName);
	const payload = (hookName: string) => {
		const found = events.findLast((event) => event.hookName === hookName)?.payload;
		return isJsonObject(found) ? found : undefined;
	};
	const until = (fact: () => boolean) =>
		waitFor(() => fact() || undefined, { what: 'it', everyMs: 1, seen: () => [hooks(), done] });
	async function ready(): Promise<LiveContext> {
		opened.resolve(ok({ nativeId: 'native' }));
		await until(() => hooks().includes('SessionStart'));
		return await reported.promise;
	}
	return { runtime, connection, opened, timers, done, hooks, payload, until, ready };
}

describe('driven agent behind a wire', () => {
	it('queues a prompt until it is ready', async () => {
		const { connection, hooks, done, ready } = play();
		await connection.sendPrompt(toPrompt('first'));
		expect(hooks()).toEqual([]);
		expect(await connection.getState()).toEqual({ status: 'working' });
		await ready();
		expect(hooks()).toEqual(['SessionStart', 'UserPromptSubmit']);
		expect(done).toEqual(['prompt first']);
	});

	it('ends with a reason if it is refused, fails to open or never becomes ready', async () => {
		const refused = play({ refusal: 'Not like this.' });
		expect(refused.payload('StopFailure')).toMatchObject({ last_assistant_message: 'Not like this.' });
		const failed = play();
		failed.opened.resolve(err(new AppError('cannot_start', 'It is not here.')));
		await failed.until(() => failed.runtime.getStatus() === 'stopped');
		expect(failed.payload('StopFailure')).toMatchObject({ last_assistant_message: 'It is not here.' });
		const silent = play();
		silent.timers.advance(60_000);
		expect(silent.payload('StopFailure')).toMatchObject({ last_assistant_message: 'Any did not become ready.' });
		for (const one of [refused, failed, silent]) {
			expect(one.hooks()).toEqual(['SessionStart', 'StopFailure', 'SessionEnd']);
			expect(one.done).toEqual(['end 3000']);
		}
	});

	it('closes open messages and calls at the end of a turn, and continues with the queue', async () => {
		const { connection, ready, hooks, payload, done } = play();
		const { turns, calls, messages, reporter } = await ready();
		await connection.followUp(toPrompt('one'));
		await connection.followUp(toPrompt('two'));
		messages.add('m', 'half a ');
		calls.open({ tool_use_id: 'c', tool_name: 'Bash', tool_input: {} });
		expect(await connection.getState()).toEqual({ status: 'working', currentTool: 'Bash' });
		turns.end({ type: 'interrupted' });
		expect(payload('MessageDisplay')).toMatchObject({ final: true, index: 1 });
		expect(payload('PostToolUseFailure')).toMatchObject({ tool_use_id: 'c', is_interrupt: true });
		expect(hooks().slice(-2)).toEqual(['Stop', 'UserPromptSubmit']);
		expect(done).toEqual(['prompt one', 'prompt two']);
		turns.end({ type: 'failed', error: 'x', why: 'It broke.' });
		expect(await connection.getState()).toEqual({ status: 'error' });
		turns.end({ type: 'completed' });
		expect(hooks().filter((hook) => hook === 'Stop')).toHaveLength(1);
		reporter.runtime.stop();
	});

	it('is interrupted only during a turn, and fails if it does not respond', async () => {
		const { connection, ready, done, payload, timers } = play();
		const { turns } = await ready();
		await connection.abort();
		expect(done).toEqual([]);
		await connection.sendPrompt(toPrompt('one'));
		await connection.abort();
		expect(done).toEqual(['prompt one', 'interrupt']);
		turns.end({ type: 'interrupted' });
		await connection.followUp(toPrompt('two'));
		timers.advance(20_000);
		expect(payload('SessionEnd')).toBeUndefined();
		await connection.abort();
		timers.advance(10_000);
		expect(payload('StopFailure')).toMatchObject({ last_assistant_message: 'Any did not stop when it was interrupted.' });
	});

	it('is steered in the middle of a turn if possible, and otherwise queues the prompt', async () => {
		const can = play({ steers: true });
		await can.ready();
		await can.connection.sendPrompt(toPrompt('one'));
		await can.connection.control({ type: 'steer', prompt: toPrompt('two') });
		expect(can.payload('UserPromptSubmit')).toMatchObject({ prompt: 'two', steers: true });
		const cannot = play();
		const { turns } = await cannot.ready();
		await cannot.connection.sendPrompt(toPrompt('one'));
		await cannot.connection.control({ type: 'steer', prompt: toPrompt('two') });
		expect(cannot.payload('UserPromptSubmit')).toMatchObject({ prompt: 'one' });
		turns.end({ type: 'completed' });
		expect(cannot.done).toEqual(['prompt one', 'steer two', 'prompt two']);
	});

	it('reports an invalid permission mode and applies a valid one', async () => {
		const { connection, ready, payload, done } = play();
		await ready();
		await connection.control({ type: 'permission-mode', mode: 'whatever' });
		expect(payload('RuntimeError')).toMatchObject({ message: expect.stringContaining('choose one of') });
		await connection.control({ type: 'permission-mode', mode: 'plan' });
		await connection.control({ type: 'model', model: 'two' });
		expect(done).toEqual(['mode plan', 'model two']);
	});

	it('fails the turn when the agent is gone, and reports it once', async () => {
		const { connection, ready, hooks, payload, runtime } = play();
		const { finish } = await ready();
		await connection.sendPrompt(toPrompt('one'));
		finish('Any is gone.');
		finish('Any is gone, again.');
		expect(hooks().slice(-2)).toEqual(['StopFailure', 'SessionEnd']);
		expect(payload('StopFailure')).toMatchObject({ last_assistant_message: 'Any is gone.' });
		expect(payload('SessionEnd')).toMatchObject({ reason: 'failed' });
		expect(runtime.getStatus()).toBe('stopped');
	});

	it('limits the number of queued prompts', async () => {
		const { connection, ready, payload } = play();
		await ready();
		for (let sent = 0; sent < 102; sent++) await connection.followUp(toPrompt(`prompt ${sent}`));
		expect(payload('RuntimeError')).toMatchObject({ code: 'too_large' });
	});
});
