// Every adapter gets hostile values in every field: nothing throws, every request is answered, and the session continues.
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { CODEX_HOOK_PROTOCOL } from '@roost/agents/codex/observed-hooks';
import { COPILOT_HOOK_PROTOCOL } from '@roost/agents/copilot/observed-hooks';
import type { HookResultPayload } from '@roost/agents/hooks/envelope';
import { createLaunchRuntime, type HookProtocol } from '@roost/agents/hooks/launch-runtime';
import { PI_HOOK_PROTOCOL } from '@roost/agents/pi/launch';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { realTimers } from '@roost/machine/timers';
import { projectId, sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { createHostileValues, hostilePayloads } from '@roost/testkit/corpora/hostile-values';
import { readStored } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestEngine } from '@roost/testkit/rigs/runner/test-engine';
import { expect, it } from 'vitest';
import { createBindings } from '../observed/bindings.ts';
import { routeLaunch } from '../observed/route-launch.ts';

const AGENTS: [string, HookProtocol][] = [
	['claude', CLAUDE_HOOK_PROTOCOL],
	['codex', CODEX_HOOK_PROTOCOL],
	['copilot', COPILOT_HOOK_PROTOCOL],
	['pi', PI_HOOK_PROTOCOL],
];
const SOAK = process.env.ROOST_SOAK === '1';
/** A report contains the value up to three times, and may have 8 MiB. */
const HOSTILE = createHostileValues(SOAK ? 2.5 * 1024 * 1024 : 1024);
const HOOKS = SOAK ? ['PreToolUse'] : ['PreToolUse', 'NeverSeen'];
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000009';

for (const gate of ['enforce'] as const) {
	it.each(AGENTS)(
		`%s in ${gate} mode handles ${HOSTILE.length} hostile values in every field`,
		{ timeout: SOAK ? 3_600_000 : 120_000 },
		async (_, protocol) => {
			await using launch = openLaunch(protocol, gate);
			let waiting = 0;
			for (const { value } of HOSTILE) {
				for (const hook of HOOKS) {
					for (const payload of hostilePayloads(hook, NATIVE, value).slice(0, SOAK ? 1 : 3)) {
						waiting += 1;
						launch.report(hook, payload, () => {
							waiting -= 1;
						});
					}
				}
			}
			await launch.settled();
			launch.report('UserPromptSubmit', { prompt: 'and on it goes' }, () => {});
			await launch.settled();
			launch.stop();
			expect(waiting).toBe(0);
			expect(launch.stored()).toContain('and on it goes');
			expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		},
	);
}

function openLaunch(protocol: HookProtocol, gate: GateMode) {
	const store = createMemoryStore();
	const id = sessionId.parse('s1');
	let ids = 0;
	const newId = () => `id-${++ids}`;
	const engine = createTestEngine({ store, summarise: async () => [], askTimeoutMs: 0 });
	const launched = createLaunchRuntime({ protocol, gate, timers: realTimers, now: Date.now, newId });
	const { runtime } = launched;
	const project = { id: projectId.parse('/p'), path: '/p' };
	const holder = { isAlive: () => true };
	const newSessionId = () => sessionId.parse(`s-${newId()}`);
	const bindings = createBindings({ holders: engine.holders, holder, first: id, newSessionId });
	const route = routeLaunch({ engine, bindings, runtime, project, gate, now: Date.now, onProblem: () => {} });
	runtime.start();
	return {
		report(hook: string, payload: Record<string, unknown>, answer: (result: HookResultPayload) => void): void {
			const envelope = { secret: 's', request_id: newId(), ts: Date.now(), session_id: NATIVE, hook_event_name: hook, payload };
			const accepted = launched.accept(envelope, answer);
			if (!accepted.ok) throw accepted.error;
		},
		settled: () => engine.settled(),
		stored: () => JSON.stringify(readStored(store, id).slice(-20)),
		stop: () => runtime.stop(),
		async [Symbol.asyncDispose]() {
			await engine[Symbol.asyncDispose]();
			route[Symbol.dispose]();
		},
	};
}
