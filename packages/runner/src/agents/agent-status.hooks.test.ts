import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { AskId } from '@roost/protocol/ids';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { describe, expect, it } from 'vitest';
import { createHookReports } from './agent-status.ts';

const LEA = { name: 'lea', face: 'test' };
const ASKED_AT = 7_000;
const ANSWERED_AT = 9_000;

/** Reports as a runner receives them, before the engine. */
function createWorld() {
	const reports = createHookReports({ now: () => ANSWERED_AT });
	/** Only agents with a status besides their reports are tracked. */
	let telling: Runtime | undefined;
	const rig = createEngineRig({
		received(id, event, runtime) {
			telling ??= { ...runtime, capabilities: { ...runtime.capabilities, agent: 'claude' } };
			reports.received(id, event, telling);
		},
	});
	const { engine, runtime, sessionId } = rig;
	return {
		...{ engine, runtime, sessionId },
		report: (hookName: string, timestamp: number, over: Partial<RuntimeEvent> = {}) =>
			runtime.emit({ hookName, timestamp, ...over }),
		last: () => reports.last(sessionId),
		async ask(toolName: string, timestamp = ASKED_AT) {
			const payload = { tool_name: toolName, tool_input: { command: 'ls' } };
			const event = runtime.emit({ hookName: 'PermissionRequest', toolName, timestamp, payload });
			await engine.settled();
			return event;
		},
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
}

describe('status from hooks', () => {
	it('has the time of the report, regardless of later facts recorded by Roost', async () => {
		await using world = createWorld();
		expect(world.last()).toBeNull();
		world.report('UserPromptSubmit', 5, { payload: { prompt: 'go' } });
		world.engine.note(world.sessionId, { kind: 'session.renamed', data: { title: 'mine' } });
		await world.engine.settled();
		expect(world.last()).toEqual({ status: 'busy', at: 5 });
		world.report('Stop', 6);
		expect(world.last()).toEqual({ status: 'idle', at: 6 });
	});

	it('is waiting while a request is pending and busy once it is answered', async () => {
		await using world = createWorld();
		await world.ask('Bash');
		world.report('PostToolUse', ASKED_AT + 1);
		expect(world.last()).toEqual({ status: 'waiting', waitingFor: 'permission prompt', at: ASKED_AT });
		await world.ask('Read', ASKED_AT + 2);
		await world.engine.answer('s1.1' as AskId, { type: 'allow' }, LEA);
		expect(world.last()).toEqual({ status: 'waiting', waitingFor: 'permission prompt', at: ASKED_AT + 2 });
		await world.engine.answer('s1.2' as AskId, { type: 'deny', message: 'no' }, LEA);
		expect(world.last()).toEqual({ status: 'busy', at: ANSWERED_AT });
	});

	it('stays waiting if Roost has no opinion, because the agent shows its own dialog', async () => {
		await using world = createWorld();
		const { id } = await world.ask('Bash');
		world.runtime.sendDecision(id, { verdict: { type: 'none' }, source: 'timeout' });
		expect(world.last()).toEqual({ status: 'waiting', waitingFor: 'permission prompt', at: ASKED_AT });
	});

	it('is null once its agent has stopped', async () => {
		await using world = createWorld();
		world.report('Stop', 5);
		world.runtime.stop();
		expect(world.last()).toBeNull();
	});
});
