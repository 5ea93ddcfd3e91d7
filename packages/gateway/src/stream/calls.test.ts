// Results of calls by frames.
import { asks } from '@roost/protocol/contract/asks';
import { ok } from '@roost/protocol/result';
import { describe, expect, it } from 'vitest';
import { createCalls } from './calls.ts';

describe('call by a frame', () => {
	it('says until when its command is queued, as over HTTP', async () => {
		const queued = { queued: true, commandId: 'c1', expiresAt: 9 } as const;
		const approve = { name: 'asks.approve', operation: asks.approve, call: async () => ok({ accepted: queued }) };
		const calls = createCalls({ api: new Map([[approve.name, approve]]), newId: () => 'r1', log() {} });
		const caller = { via: 'token', principal: { name: 'lea', face: 'cli' }, roles: [], address: '', origin: undefined } as const;
		const frame = { type: 'call', id: 'c1', operation: approve.name, input: {} } as const;
		expect(await calls.call(frame, caller, async () => ok(caller))).toEqual({
			type: 'result',
			id: 'c1',
			ok: true,
			value: queued,
		});
	});
});
