// What every Runtime promises, whichever agent is behind it.

import type { RuntimeDecision } from '@roost/core/runtime/decision';
import { RUNTIME_ERROR, type RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { Runtime } from '@roost/core/runtime/runtime';
import { waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

export type RuntimeStage = AsyncDisposable & {
	runtime: Runtime;
	/** Lets the agent report the next of the events the stage was opened with. */
	playNext(): Promise<void>;
	/** Moves the runtime's clock. */
	advance(ms: number): void;
};

type Part = Pick<RuntimeEvent, 'id' | 'hookName'> & { payload?: unknown };
type Heard = { events: RuntimeEvent[]; decisions: { eventId: string; decision: RuntimeDecision }[] };

const ALLOW: RuntimeDecision = { verdict: { type: 'allow' }, source: 'user' };
const DENY: RuntimeDecision = { verdict: { type: 'deny', message: 'no' }, source: 'rule' };
const ask = (id: string): Part => ({
	id,
	hookName: 'PermissionRequest',
	payload: { tool_name: 'Bash', tool_input: { command: 'ls' } },
});
const note = (id: string): Part => ({ id, hookName: 'Notification' });

/** `openStage` makes a stopped runtime that observes, with a clock that stands still. */
export function describeRuntimeContract(name: string, openStage: (events: Part[]) => Promise<RuntimeStage>): void {
	describe(`${name} keeps the Runtime contract`, () => {
		it('is stopped until it is started, and both may be said twice', async () => {
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

		it('tells events in order, whole, to everybody who listens', async () => {
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

		it('tells nothing to those who no longer listen', async () => {
			await using stage = await openStage([note('a')]);
			const heard = listen(stage.runtime);
			const gone: string[] = [];
			stage.runtime.onEvent((event) => gone.push(event.id))();
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.events, 1);
			expect(gone).toEqual([]);
		});

		it('survives a listener that throws, and reports it', async () => {
			await using stage = await openStage([note('a')]);
			stage.runtime.onEvent((event) => {
				if (event.hookName !== RUNTIME_ERROR) throw new Error('broken listener');
			});
			const heard = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.events, 2);
			expect(heard.events.map((event) => event.hookName)).toEqual(['Notification', RUNTIME_ERROR]);
			expect(heard.events[1]?.payload).toMatchObject({ code: 'internal' });
		});

		it('makes no decision of what nobody has to decide', async () => {
			await using stage = await openStage([note('a')]);
			const heard = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.events, 1);
			stage.advance(600_000);
			expect(heard.decisions).toEqual([]);
		});

		it('lets the first decision take effect and reports a second as late', async () => {
			await using stage = await openStage([ask('a')]);
			const heard = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.events, 1);
			stage.runtime.sendDecision('a', ALLOW);
			stage.runtime.sendDecision('a', DENY);
			expect(heard.decisions).toEqual([{ eventId: 'a', decision: ALLOW }]);
			expect(heard.events[1]).toMatchObject({
				hookName: RUNTIME_ERROR,
				interaction: { expectsDecision: false },
				payload: { code: 'late_decision', detail: 'a' },
			});
			expect(readReport(RUNTIME_ERROR, heard.events[1]?.payload).unread).toBeUndefined();
		});

		it('takes a decision from within the listener', async () => {
			await using stage = await openStage([ask('a')]);
			const heard = listen(stage.runtime);
			stage.runtime.onEvent((event) => stage.runtime.sendDecision(event.id, DENY));
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.decisions, 1);
			expect(heard.decisions).toEqual([{ eventId: 'a', decision: DENY }]);
		});

		it('reports a decision for an event it never told, and does not throw', async () => {
			await using stage = await openStage([]);
			const heard = listen(stage.runtime);
			stage.runtime.start();
			stage.runtime.sendDecision('nobody', ALLOW);
			stage.runtime.hold('nobody', 1000);
			expect(heard.decisions).toEqual([]);
			expect(heard.events).toMatchObject([{ hookName: RUNTIME_ERROR, payload: { code: 'late_decision' } }]);
		});

		it('has no opinion at the deadline, and says that it was the deadline', async () => {
			await using stage = await openStage([ask('a')]);
			const heard = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.events, 1);
			stage.advance(299_999);
			expect(heard.decisions).toEqual([]);
			stage.advance(1);
			expect(heard.decisions).toMatchObject([{ eventId: 'a', decision: { verdict: { type: 'none' }, source: 'timeout' } }]);
		});

		it('waits as long as it is told to hold, counted from then', async () => {
			await using stage = await openStage([{ ...ask('a'), hookName: 'PreToolUse' }]);
			const heard = listen(stage.runtime);
			stage.runtime.start();
			await playAll(stage, 1);
			await waitForLength(heard.events, 1);
			stage.advance(3000);
			stage.runtime.hold('a', 60_000);
			stage.advance(59_999);
			expect(heard.decisions).toEqual([]);
			stage.advance(1);
			expect(heard.decisions).toMatchObject([{ eventId: 'a', decision: { source: 'timeout' } }]);
		});

		it('lets nothing wait for ever when it is stopped, and tells nothing afterwards', async () => {
			await using stage = await openStage([ask('a'), note('b')]);
			const heard = listen(stage.runtime);
			stage.runtime.start();
			await stage.playNext();
			await waitForLength(heard.events, 1);
			stage.runtime.stop();
			expect(heard.decisions).toMatchObject([{ eventId: 'a', decision: { verdict: { type: 'none' }, source: 'system' } }]);
			await stage.playNext();
			stage.runtime.sendDecision('a', ALLOW);
			expect(heard.events).toHaveLength(1);
			expect(heard.decisions).toHaveLength(1);
		});

		it('says what it can do as data', async () => {
			await using stage = await openStage([]);
			const { capabilities } = stage.runtime;
			expect(capabilities.agent).not.toBe('');
			if (!capabilities.gate.gated) expect(capabilities.gate.why).not.toBe('');
			expect(['PreToolUse', 'PermissionRequest', null]).toContain(capabilities.questionHook);
		});
	});
}

function listen(runtime: Runtime): Heard {
	const heard: Heard = { events: [], decisions: [] };
	runtime.onEvent((event) => heard.events.push(event));
	runtime.onDecision((eventId, decision) => heard.decisions.push({ eventId, decision }));
	return heard;
}

async function playAll(stage: RuntimeStage, count: number): Promise<void> {
	for (let played = 0; played < count; played++) await stage.playNext();
}
