// The contract of every Runtime, for any agent.

import type { RuntimeDecision } from '@roost/core/runtime/decision';
import { RUNTIME_ERROR, type RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { Runtime } from '@roost/core/runtime/runtime';
import { waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

export type RuntimeStage = AsyncDisposable & {
	runtime: Runtime;
	/** Makes the agent report the next of the stage's events. */
	playNext(): Promise<void>;
	/** Moves the runtime's clock. */
	advance(ms: number): void;
};

type Part = Pick<RuntimeEvent, 'id' | 'hookName'> & { payload?: unknown };
type Observed = { events: RuntimeEvent[]; decisions: { eventId: string; decision: RuntimeDecision }[] };

const ALLOW: RuntimeDecision = { verdict: { type: 'allow' }, source: 'user' };
const DENY: RuntimeDecision = { verdict: { type: 'deny', message: 'no' }, source: 'rule' };
const ask = (id: string): Part => ({
	id,
	hookName: 'PermissionRequest',
	payload: { tool_name: 'Bash', tool_input: { command: 'ls' } },
});
const note = (id: string): Part => ({ id, hookName: 'Notification' });

/** `openStage` returns a stopped runtime in observe mode, with a manual clock. */
export function describeRuntimeContract(name: string, openStage: (events: Part[]) => Promise<RuntimeStage>): void {
	describe(`${name} keeps the Runtime contract`, () => {
		it('is stopped until started, and tolerates repeated start and stop', async () => {
			await using stage = await openStage([]);
			const { runtime } = stage;
			expect(runtime.getStatus()).toBe('stopped');
			runtime.start();
			runtime.start();
			expect(runtime.getStatus()).toBe('running');
			runtime.stop();
			runtime.stop();
			expect(runtime.getStatus()).toBe('stopped');
		});

		it('delivers complete events in order to all listeners', async () => {
			await using stage = await openStage([note('a'), ask('b'), { id: 'c', hookName: 'SomethingNew' }]);
			const first = listen(stage.runtime);
			const second = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 3);
			await waitForLength(first.events, 3);
			expect(first.events.map((event) => event.id)).toEqual(['a', 'b', 'c']);
			expect(second.events).toEqual(first.events);
			for (const event of first.events) {
				expect(event).toMatchObject({ timestamp: expect.any(Number), sessionId: expect.any(String) });
				expect(event.context).toMatchObject({ cwd: expect.any(String), transcriptPath: expect.any(String) });
				expect(event.payload).toBeTypeOf('object');
			}
			expect(first.events.map((event) => event.interaction.expectsDecision)).toEqual([false, true, false]);
		});

		it('delivers no events to removed listeners', async () => {
			await using stage = await openStage([note('a')]);
			const received = listen(stage.runtime);
			const gone: string[] = [];
			stage.runtime.onEvent((event) => gone.push(event.id))();
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.events, 1);
			expect(gone).toEqual([]);
		});

		it('survives and reports a listener that throws', async () => {
			await using stage = await openStage([note('a')]);
			stage.runtime.onEvent((event) => {
				if (event.hookName !== RUNTIME_ERROR) throw new Error('broken listener');
			});
			const received = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.events, 2);
			expect(received.events.map((event) => event.hookName)).toEqual(['Notification', RUNTIME_ERROR]);
			expect(received.events[1]?.payload).toMatchObject({ code: 'internal' });
		});

		it('makes no decision for events that expect none', async () => {
			await using stage = await openStage([note('a')]);
			const received = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.events, 1);
			stage.advance(600_000);
			expect(received.decisions).toEqual([]);
		});

		it('applies the first decision and reports a second one as late', async () => {
			await using stage = await openStage([ask('a')]);
			const received = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.events, 1);
			stage.runtime.sendDecision('a', ALLOW);
			stage.runtime.sendDecision('a', DENY);
			expect(received.decisions).toEqual([{ eventId: 'a', decision: ALLOW }]);
			expect(received.events[1]).toMatchObject({
				hookName: RUNTIME_ERROR,
				interaction: { expectsDecision: false },
				payload: { code: 'late_decision', detail: 'a' },
			});
			expect(readReport(RUNTIME_ERROR, received.events[1]?.payload).unread).toBeUndefined();
		});

		it('accepts a decision from within a listener', async () => {
			await using stage = await openStage([ask('a')]);
			const received = listen(stage.runtime);
			stage.runtime.onEvent((event) => stage.runtime.sendDecision(event.id, DENY));
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.decisions, 1);
			expect(received.decisions).toEqual([{ eventId: 'a', decision: DENY }]);
		});

		it('reports a decision for an unknown event without throwing', async () => {
			await using stage = await openStage([]);
			const received = listen(stage.runtime);
			stage.runtime.start();
			stage.runtime.sendDecision('nobody', ALLOW);
			stage.runtime.hold('nobody', 1000);
			expect(received.decisions).toEqual([]);
			expect(received.events).toMatchObject([{ hookName: RUNTIME_ERROR, payload: { code: 'late_decision' } }]);
		});

		it('decides "none" at the deadline, with timeout as the source', async () => {
			await using stage = await openStage([ask('a')]);
			const received = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.events, 1);
			stage.advance(299_999);
			expect(received.decisions).toEqual([]);
			stage.advance(1);
			expect(received.decisions).toMatchObject([{ eventId: 'a', decision: { verdict: { type: 'none' }, source: 'timeout' } }]);
		});

		it('restarts the timeout from the moment of the hold', async () => {
			await using stage = await openStage([{ ...ask('a'), hookName: 'PreToolUse' }]);
			const received = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(received.events, 1);
			stage.advance(3000);
			stage.runtime.hold('a', 60_000);
			stage.advance(59_999);
			expect(received.decisions).toEqual([]);
			stage.advance(1);
			expect(received.decisions).toMatchObject([{ eventId: 'a', decision: { source: 'timeout' } }]);
		});

		it('resolves pending requests when stopped and delivers no events afterwards', async () => {
			await using stage = await openStage([ask('a'), note('b')]);
			const received = listen(stage.runtime);
			stage.runtime.start();
			await stage.playNext();
			await waitForLength(received.events, 1);
			stage.runtime.stop();
			expect(received.decisions).toMatchObject([{ eventId: 'a', decision: { verdict: { type: 'none' }, source: 'system' } }]);
			await stage.playNext();
			stage.runtime.sendDecision('a', ALLOW);
			expect(received.events).toHaveLength(1);
			expect(received.decisions).toHaveLength(1);
		});

		it('declares its capabilities', async () => {
			await using stage = await openStage([]);
			const { capabilities } = stage.runtime;
			expect(capabilities.agent).not.toBe('');
			if (!capabilities.gate.gated) expect(capabilities.gate.why).not.toBe('');
			expect(['PreToolUse', 'PermissionRequest', null]).toContain(capabilities.questionHook);
		});
	});
}

function listen(runtime: Runtime): Observed {
	const received: Observed = { events: [], decisions: [] };
	runtime.onEvent((event) => received.events.push(event));
	runtime.onDecision((eventId, decision) => received.decisions.push({ eventId, decision }));
	return received;
}

async function playAll(stage: RuntimeStage, count: number): Promise<void> {
	for (let played = 0; played < count; played++) await stage.playNext();
}
