import { createTestBackend } from '@roost/testkit/rigs/api/test-backend';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { createConnection } from './connection.ts';

describe('client that reads a long log at full speed', () => {
	it('gets one queue per event loop turn, so that other clients are served in between', async () => {
		await using world = createTestBackend();
		const { backend } = world;
		await world.store('s1', 300);
		const deferred: (() => void)[] = [];
		const written: number[] = [];
		const limits = { ...DEFAULT_LIMITS, queueBytes: 4_000 };
		const connection = createConnection({
			backend,
			call: async ({ id }) => ({ type: 'result', id, ok: true }),
			limits,
			wire: {
				write(frame, taken) {
					written.push(frame.length);
					queueMicrotask(taken);
				},
				close: () => {},
				cut: () => {},
				later: (action) => deferred.push(action),
			},
		});
		connection.receive(JSON.stringify({ type: 'subscribe-all', sub: 'a', after: null }));
		let turns = 0;
		for (let next: (() => void) | undefined = () => {}; next; next = deferred.shift()) {
			const before = written.length;
			next();
			// A real turn of the event loop: automatic progress has happened by then.
			await new Promise((resolve) => setImmediate(resolve));
			const bytes = written.slice(before).reduce((sum, length) => sum + length, 0);
			expect(bytes).toBeLessThan(2 * limits.queueBytes);
			turns += 1;
		}
		expect(turns).toBeGreaterThan(10);
		// All lines, and `caught-up`.
		expect(written).toHaveLength(301);
	});
});
