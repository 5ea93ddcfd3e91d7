import { join } from 'node:path';
import { sessionId } from '@roost/protocol/ids';
import { createRecordedHome } from '@roost/testkit/rigs/runner/recorded-home';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createThreadProver } from './session-proofs.ts';

describe('verification in a thread', () => {
	it('refuses more requests than a few at a time, and accepts them again afterwards', async () => {
		await using world = await createRecordedHome({ events: 12 });
		const prove = createThreadProver({ database: join(world.env.ROOST_HOME ?? '', 'roost.db'), runnerId: '/none' });
		const replies = await Promise.all(Array.from({ length: 12 }, () => prove(world.id)));
		expect(replies.filter((reply) => reply.ok)).toHaveLength(8);
		expect(replies.flatMap((reply) => (reply.ok ? [] : [reply.error.code]))).toEqual(Array(4).fill('rate_limited'));
		expect(unwrap(await prove(world.id))).toMatchObject({ events: 12, head: world.head });
	});

	it('returns the error of the thread', async () => {
		await using world = await createRecordedHome({ events: 1 });
		const prove = createThreadProver({ database: join(world.env.ROOST_HOME ?? '', 'roost.db'), runnerId: '/none' });
		expect(unwrapError(await prove(sessionId.parse('none'))).message).toContain('Session "none" not found');
	});
});
