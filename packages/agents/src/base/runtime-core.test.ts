import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { fillDefaults, MOCK_CAPABILITIES } from '../mock/fill-defaults.ts';
import { createRuntimeCore } from './runtime-core.ts';

function openCore(gate: GateMode = 'observe') {
	const timers = createManualTimers();
	let ids = 0;
	const core = createRuntimeCore({ capabilities: MOCK_CAPABILITIES, gate, timers, now: timers.now, newId: () => `own-${++ids}` });
	core.runtime.onEvent(() => {});
	core.runtime.start();
	const answers: RuntimeDecision[] = [];
	const offer = (id: string, hookName: string) =>
		core.offer(fillDefaults({ id, hookName }, { id, timestamp: 0 }), (decision) => answers.push(decision));
	return {
		...core,
		timers,
		answers,
		ask: (id: string) => offer(id, 'PermissionRequest'),
		note: (id: string) => offer(id, 'Stop'),
	};
}

describe('createRuntimeCore', () => {
	it('sends no decision for an abandoned event', () => {
		const { ask, answers, timers } = openCore('enforce');
		const wait = ask('a');
		if (wait.ok) wait.value.abandon();
		timers.advance(600_000);
		expect(answers).toEqual([]);
	});

	it('times out exactly when the hold expires', () => {
		const { ask, answers, timers, runtime } = openCore();
		ask('a');
		runtime.hold('a', 3_600_000);
		timers.advance(3_599_999);
		expect(answers).toEqual([]);
		timers.advance(1);
		expect(answers).toMatchObject([{ source: 'timeout' }]);
	});

	it('lets a synchronous decision block an event that does not wait for one', () => {
		const { note, answers, runtime } = openCore();
		runtime.onEvent((event) =>
			runtime.sendDecision(event.id, { verdict: { type: 'deny', message: 'not yet' }, source: 'rule', reason: 'not yet' }),
		);
		note('a');
		expect(answers).toMatchObject([{ verdict: { type: 'deny', message: 'not yet' }, reason: 'not yet' }]);
	});

	it('denies pending requests of an enforced session when stopped', () => {
		const { ask, answers, runtime } = openCore('enforce');
		ask('a');
		runtime.stop();
		expect(answers).toMatchObject([{ verdict: { type: 'deny' }, source: 'system' }]);
	});

	it('rejects a recent event id as a duplicate, but accepts one it has forgotten', () => {
		const { note } = openCore();
		for (let index = 0; index < 10_000; index++) expect(note(`id-${index}`).ok).toBe(true);
		expect(note('id-9999')).toMatchObject({ ok: false, error: { code: 'duplicate_event' } });
		expect(note('id-0').ok).toBe(true);
	});
});
