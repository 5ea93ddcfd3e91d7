import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describeRuntimeContract } from './base/runtime.contract.ts';
import { openMockAgent } from './mock/driven/open-mock-agent.ts';
import { createInjectableMockRuntime } from './mock/injectable.ts';
import { createMockRuntime } from './mock/scripted-replay.ts';

describeRuntimeContract('the scripted mock', async (events) => {
	const timers = createManualTimers();
	const runtime = createMockRuntime(
		events.map((event) => ({ delayMs: 0, event })),
		{ timers: { after: (ms, run) => (ms > 0 ? timers.after(ms, run) : steps.after(ms, run)) }, now: timers.now },
	);
	const steps = createStepper();
	return {
		runtime,
		playNext: async () => steps.next(),
		advance: timers.advance,
		[Symbol.asyncDispose]: async () => runtime.stop(),
	};
});

describeRuntimeContract('the injectable mock', async (events) => {
	const timers = createManualTimers();
	const runtime = createInjectableMockRuntime({ timers, now: timers.now });
	const rest = [...events];
	return {
		runtime,
		playNext: async () => {
			const event = rest.shift();
			if (event) runtime.emit(event);
		},
		advance: timers.advance,
		[Symbol.asyncDispose]: async () => runtime.stop(),
	};
});

describeRuntimeContract('the scripted agent that takes prompts', async (events) => {
	const timers = createManualTimers();
	const steps = createStepper();
	const { runtime } = openMockAgent(
		{ cwd: '/project', gate: 'observe' },
		{
			opening: events,
			timers: { after: (ms, run) => (ms > 0 ? timers.after(ms, run) : steps.after(ms, run)) },
			now: timers.now,
		},
	);
	return {
		runtime,
		playNext: async () => steps.next(),
		advance: timers.advance,
		[Symbol.asyncDispose]: async () => runtime.stop(),
	};
});

describeRuntimeContract('the Claude hook runtime', async (events) => {
	const rig = await openHookRig({ start: false });
	const client = await rig.connect();
	const rest = [...events];
	return {
		runtime: rig.launch.runtime,
		playNext: async () => {
			const event = rest.shift();
			if (event) client.send(rig.envelope(event.id, event.hookName, event.payload));
		},
		advance: rig.timers.advance,
		[Symbol.asyncDispose]: async () => {
			await client.close();
			await rig[Symbol.asyncDispose]();
		},
	};
});

/** Runs the steps of the script one at a time, independent of deadlines. */
function createStepper() {
	let next: (() => void) | undefined;
	return {
		after(_ms: number, run: () => void) {
			next = run;
			return () => {
				next = undefined;
			};
		},
		next() {
			const run = next;
			next = undefined;
			run?.();
		},
	};
}
