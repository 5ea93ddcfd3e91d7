import { RUNTIME_ERROR } from '@roost/core/runtime/event';
import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const passthrough = (id: string) => ({ request_id: id, ts: 1000, payload: { action: 'passthrough' } });
const refusal = (id: string | null, code: string) => ({ request_id: id, ts: 1000, error: { code, message: expect.any(String) } });

describe('socket input', () => {
	it('rejects a wrong or missing secret and emits nothing', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.send({ ...rig.envelope('r1', 'Stop'), secret: 'wrong' });
		expect(await client.next()).toEqual(refusal('r1', 'unauthorized'));
		client.send({ ...rig.envelope('r2', 'Stop'), secret: undefined });
		expect(await client.next()).toEqual(refusal('r2', 'unauthorized'));
		expect(rig.events).toEqual([]);
		expect(rig.refused).toHaveLength(2);
	});

	it('requires the secret in every request of a connection', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.send(rig.envelope('r1', 'Stop'));
		expect(await client.next()).toEqual(passthrough('r1'));
		client.send({ ...rig.envelope('r2', 'Stop'), secret: undefined });
		expect(await client.next()).toEqual(refusal('r2', 'unauthorized'));
		expect(rig.events).toHaveLength(1);
	});

	it.each([0, -1, 9e15, 1e308])('ignores the timestamp of the sender: %d', async (ts) => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.send({ ...rig.envelope('r1', 'Stop'), ts });
		expect(await client.next()).toEqual(passthrough('r1'));
		expect(rig.events).toMatchObject([{ id: 'r1', timestamp: 1000 }]);
	});

	it('answers bad JSON with a typed error, records it and continues', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.write(`{"secret":"${rig.launch.secret}","request_id":\n`);
		expect(await client.next()).toEqual(refusal(null, 'bad_request'));
		client.send(rig.envelope('r1', 'Stop'));
		expect(await client.next()).toEqual(passthrough('r1'));
		expect(rig.events).toMatchObject([{ hookName: RUNTIME_ERROR, payload: { code: 'bad_request' } }, { id: 'r1' }]);
	});

	it('records an unreadable line for the launch that the connection last reported for', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.write('garbage\n');
		expect(await client.next()).toEqual(refusal(null, 'bad_request'));
		expect(rig.refused).toHaveLength(1);
		client.send(rig.envelope('r1', 'Stop'));
		client.write('garbage\n');
		expect([await client.next(), await client.next()]).toEqual([passthrough('r1'), refusal(null, 'bad_request')]);
		expect(rig.events).toMatchObject([{ id: 'r1' }, { hookName: RUNTIME_ERROR, sessionId: 's1' }]);
	});

	it('returns the request id, if there is one, in the error for a wrong shape', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.send({ ...rig.envelope('r1', 'Stop'), hook_event_name: 7 });
		expect(await client.next()).toEqual(refusal('r1', 'bad_request'));
		client.send([rig.launch.secret]);
		expect(await client.next()).toEqual(refusal(null, 'bad_request'));
		expect(rig.events).toMatchObject([{ hookName: RUNTIME_ERROR, payload: { code: 'bad_request', detail: 'r1' } }]);
	});

	it('discards a line that is too long, records it for its sender and continues', async () => {
		await using rig = await openHookRig({ limits: { maxBytes: 1000 } });
		await using client = await rig.connect();
		client.send(rig.envelope('long', 'Stop', { text: 'x'.repeat(300_000) }));
		client.send(rig.envelope('r1', 'Stop'));
		expect([await client.next(), await client.next()]).toEqual([refusal(null, 'too_large'), passthrough('r1')]);
		expect(rig.events).toMatchObject([{ hookName: RUNTIME_ERROR, payload: { code: 'too_large' } }, { id: 'r1' }]);
	});

	it('accepts 8 MiB and rejects one byte more', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		const room = 8 * 1024 * 1024 - JSON.stringify(rig.envelope('r1', 'Stop', '')).length;
		client.send(rig.envelope('r1', 'Stop', 'x'.repeat(room)));
		expect(await client.next()).toEqual(passthrough('r1'));
		client.send(rig.envelope('r2', 'Stop', 'x'.repeat(room + 1)));
		expect(await client.next()).toEqual(refusal(null, 'too_large'));
	});

	it('rejects a duplicate request id, whether the first is still pending or not', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.send(rig.envelope('r1', 'PermissionRequest'));
		client.send(rig.envelope('r1', 'PermissionRequest'));
		expect(await client.next()).toEqual(refusal('r1', 'duplicate_event'));
		rig.launch.runtime.sendDecision('r1', { verdict: { type: 'none' }, source: 'rule' });
		expect(await client.next()).toEqual(passthrough('r1'));
		client.send(rig.envelope('r1', 'Stop'));
		expect(await client.next()).toEqual(refusal('r1', 'duplicate_event'));
		expect(rig.events.map((event) => event.hookName)).toEqual(['PermissionRequest', RUNTIME_ERROR, RUNTIME_ERROR]);
	});

	it('rejects extremely deep nesting', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.write(`{"secret":"${rig.launch.secret}","payload":${'{"a":'.repeat(500_000)}\n`);
		expect(await client.next()).toEqual(refusal(null, 'bad_request'));
		expect(rig.events).toHaveLength(1);
	});

	it('handles empty lines, CRLF and a character split across two writes', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		const bytes = Buffer.from(`\r\n\n${JSON.stringify(rig.envelope('r1', 'Stop', { text: 'naïve → 👋' }))}\r\n`);
		const border = bytes.indexOf(Buffer.from('👋')) + 2;
		client.write(bytes.subarray(0, border));
		client.write(bytes.subarray(border));
		expect(await client.next()).toEqual(passthrough('r1'));
		expect(rig.events[0]?.payload).toEqual({ text: 'naïve → 👋' });
	});

	it('keeps the events of a burst in order', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		const ids = Array.from({ length: 500 }, (_, index) => `r${index}`);
		client.write(ids.map((id) => `${JSON.stringify(rig.envelope(id, 'PostToolUse'))}\n`).join(''));
		for (const id of ids) expect(await client.next()).toEqual(passthrough(id));
		expect(rig.events.map((event) => event.id)).toEqual(ids);
	});

	it('does not affect other clients when one disconnects in the middle of a line', async () => {
		await using rig = await openHookRig();
		await using other = await rig.connect();
		other.send(rig.envelope('r1', 'PermissionRequest'));
		await waitForLength(rig.events, 1);
		const client = await rig.connect();
		client.write(JSON.stringify(rig.envelope('r2', 'Stop')).slice(0, 30));
		await client.close();
		rig.launch.runtime.sendDecision('r1', { verdict: { type: 'deny', message: 'no' }, source: 'user', reason: 'no' });
		expect(await other.next()).toMatchObject({ request_id: 'r1', payload: { action: 'json_output' } });
	});
});
