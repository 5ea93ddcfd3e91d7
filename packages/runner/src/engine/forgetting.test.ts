import { createInjectableMockRuntime } from '@roost/agents/mock/injectable';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import { type SessionId, sessionId, sessionStream } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { TEST_PATH, TEST_PROJECT } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestEngine } from '@roost/testkit/rigs/runner/test-engine';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('long-running runner', () => {
	it('drops inactive sessions and rebuilds them from the log on the next report', async () => {
		await using world = openWorld();
		world.report('first', 'Notification', { message: 'one' });
		await world.receive(120);
		expect(world.readsOf('first')).toBe(1);
		world.report('first', 'Notification', { message: 'two' });
		await world.engine.settled();
		expect(world.readsOf('first')).toBe(2);
		expect(world.messages('first')).toEqual(['one', 'two']);
	});

	it('keeps a session in memory while a request is pending', async () => {
		await using world = openWorld();
		world.report('first', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }, true);
		await world.receive(120);
		const [ask] = world.engine.asks.list({});
		if (!ask) throw new Error('nobody was asked');
		unwrap(await world.engine.answer(ask.id, { type: 'allow' }, { name: 'lea', face: 'cli' }));
		expect(world.readsOf('first')).toBe(1);
	});

	it('keeps the most recently active session', async () => {
		await using world = openWorld();
		world.report('first', 'Notification', { message: 'one' });
		await world.receive(60);
		world.report('first', 'Notification', { message: 'two' });
		await world.receive(60);
		world.report('first', 'Notification', { message: 'three' });
		expect(world.readsOf('first')).toBe(1);
	});

	it('reloads a session to record a fact', async () => {
		await using world = openWorld();
		world.report('first', 'Notification', { message: 'one' });
		await world.receive(120);
		const noted = world.engine.note(id('first'), { kind: 'runtime.error', data: { code: 'x', message: 'y' } });
		await world.engine.settled();
		expect(noted).toBe(true);
		expect(world.messages('first')).toHaveLength(2);
	});
});

function openWorld() {
	const store = createMemoryStore();
	const reads: string[] = [];
	const counted: Store = {
		...store,
		read(query) {
			if ('stream' in query && query.after === 0) reads.push(query.stream);
			return store.read(query);
		},
	};
	const engine = createTestEngine({ store: counted, summarise: async () => [] });
	const runtime = createInjectableMockRuntime();
	let events = 0;

	function report(name: string, hookName: string, payload: unknown, expectsDecision = false): void {
		const event: RuntimeEvent = {
			id: `e${++events}`,
			timestamp: events,
			sessionId: name,
			context: { cwd: '/project', transcriptPath: '' },
			interaction: { expectsDecision },
			...readReport(hookName, payload),
		};
		const project = { id: TEST_PROJECT, path: TEST_PATH };
		const session = unwrap(engine.open({ id: id(name), runtime, project, gate: 'observe' }));
		session.post({ type: 'reported', event }, { runtime, gate: 'observe' });
	}

	return {
		engine,
		report,
		/** Reports from this many other sessions, one after the other. */
		async receive(others: number) {
			for (let other = 0; other < others; other += 1) {
				report(`other-${events}`, 'Notification', { message: 'x' });
				await engine.settled();
			}
		},
		readsOf: (name: string) => reads.filter((stream) => stream === name).length,
		messages: (name: string) =>
			unwrap(store.read({ stream: sessionStream(id(name)), after: 0, limit: 100 }))
				.map(({ line }) => JSON.parse(line).event)
				.filter(({ kind }) => kind === 'notification' || kind === 'runtime.error')
				.map(({ data }) => data.message),
		[Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
	};
}

function id(name: string): SessionId {
	return sessionId.parse(name);
}
