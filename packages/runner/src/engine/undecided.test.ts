import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { describe, expect, it } from 'vitest';

describe('event without a decision while the disk hangs', () => {
	it('gets its reply immediately, even if there are many', async () => {
		const disk = stuckDisk();
		await using rig = createEngineRig({ store: disk.store });
		using _freed = { [Symbol.dispose]: disk.free };
		const calls = Array.from({ length: 20 }, (_, at) => rig.runtime.emit(preToolUse(`t${at}`)));
		for (const call of calls)
			expect(rig.runtime.getDecision(call.id)).toMatchObject({ verdict: { type: 'none' }, source: 'rule' });
		expect(rig.stored()).toEqual([]);
	});

	it('is stored in order once the disk works again', async () => {
		const disk = stuckDisk();
		await using rig = createEngineRig({ store: disk.store });
		for (let at = 0; at < 20; at += 1) rig.runtime.emit(preToolUse(`t${at}`));
		disk.free();
		await rig.engine.settled();
		const calls = rig.stored().flatMap(({ event }) => (event.kind === 'tool.pre' ? [event.data.tool_use_id] : []));
		expect(calls).toEqual(Array.from({ length: 20 }, (_, at) => `t${at}`));
	});
});

describe('ask while the disk hangs', () => {
	it('is not published before it is stored', async () => {
		const disk = stuckDisk();
		await using rig = createEngineRig({ store: disk.store, gate: 'enforce' });
		using _freed = { [Symbol.dispose]: disk.free };
		rig.runtime.emit({ ...preToolUse('t1'), hookName: 'PermissionRequest' });
		await new Promise(setImmediate);
		expect([rig.engine.asks.list({ all: true }), rig.reported]).toEqual([[], []]);
		disk.free();
		await rig.engine.settled();
		expect(rig.engine.asks.list({})).toMatchObject([{ id: 's1.1', state: 'pending' }]);
	});
});

/** No append is acknowledged before it is freed. */
function stuckDisk(): { store: Store; free: () => void } {
	const freed = Promise.withResolvers<void>();
	const inner = createMemoryStore();
	const append: Store['append'] = async (request) => {
		await freed.promise;
		return inner.append(request);
	};
	return { store: { ...inner, append }, free: freed.resolve };
}

function preToolUse(id: string) {
	return {
		hookName: 'PreToolUse',
		toolName: 'Bash',
		toolUseId: id,
		payload: { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: id },
	};
}
