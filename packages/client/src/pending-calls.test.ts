// Calls over the stream whose command a hub keeps for later.
import { askRow } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { createPendingCalls } from './pending-calls.ts';

describe('call over the stream', () => {
	it('ends with until when its command is queued', async () => {
		const queued = { queued: true, commandId: 'c1', expiresAt: 9 } as const;
		const calls = createPendingCalls(() => {});
		const reply = calls.run(askRow, { type: 'call', id: 'c1', operation: 'asks.answer', input: {} });
		calls.settle({ id: 'c1', ok: true, value: queued });
		expect(await reply).toMatchObject({ ok: false, queued, error: { code: 'timed_out' } });
	});
});
