import { createMemoryStore } from '@roost/store/memory-store';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { readLastUsage } from './record.ts';

const usage = (tokens: number) => {
	const total = { input_tokens: tokens, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
	return { kind: 'usage.update', data: { total, by_model: {} } } as const;
};

describe('usage of a session', () => {
	it('is the last report, however many events follow it', async () => {
		await using store = createMemoryStore();
		const words = { kind: 'agent.message', data: { text: 'about "usage.update"' } } as const;
		const parts = [usage(1), usage(2), ...Array.from({ length: 1_500 }, () => words)];
		const events = parts.map((part, at) => sampleEvent('a', at + 1, part));
		const session = sampleSession('a', { events: events.length });
		expect(unwrap(readLastUsage(store, session))).toBeNull();
		unwrap(await store.append(sampleAppend('a', events, { session })));
		expect(unwrap(readLastUsage(store, session))).toMatchObject({ input_tokens: 2 });
	});
});
