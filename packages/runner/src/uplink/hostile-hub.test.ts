import { LINK_PROTOCOL } from '@roost/protocol/hub/link-frames';
import { pairWith } from '@roost/testkit/rigs/hub/pair-with';
import { startScriptedHub } from '@roost/testkit/rigs/hub/scripted-hub';
import { openUplinkRig } from '@roost/testkit/rigs/hub/uplink-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const LONG_NONCE = 'n'.repeat(32);

describe('hub that is not the paired one', () => {
	it('gets no line when it has another key, and the log says so once', async () => {
		await using hub = await startScriptedHub();
		hub.tricks.wrongKey = true;
		await using rig = await openUplinkRig(hub);
		await rig.append('a', 3);
		await hub.connected(4);
		expect(hub.frames.filter(({ type }) => type.startsWith('event'))).toEqual([]);
		const reason = expect.stringContaining('does not have the key that this runner was paired with');
		expect(unwrap(rig.uplink.status())).toMatchObject({ state: 'connecting', reason, behind: 3 });
		expect(rig.logged.filter(({ level }) => level === 'warn')).toEqual([expect.objectContaining({ msg: reason })]);
	});

	it('gets no line when it replays an answer of the real hub', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		const earlier = hub.answers[0];
		hub.tricks.registered = () => earlier ?? expect.fail();
		hub.cut();
		await rig.append('a', 1);
		await hub.connected(3);
		expect(hub.of('event')).toEqual([]);
	});

	it('gets no signature when it has another id', async () => {
		await using hub = await startScriptedHub();
		let calls = 0;
		hub.tricks.challenge = (nonce) => {
			calls += 1;
			return { type: 'hub.challenge', nonce, hub: 'otherhubotherhub', protocol: { min: 1, max: 1 } };
		};
		await using rig = await openUplinkRig(hub);
		await waitFor(() => (calls > 2 ? true : undefined), { what: 'three attempts' });
		expect(hub.of('runner.register')).toEqual([]);
		expect(unwrap(rig.uplink.status()).reason).toContain('Another hub answers at');
	});
});

describe('hub of another version', () => {
	it.each([
		['too new', LINK_PROTOCOL + 1, 'refused', 'This Roost is too old for the hub. Update Roost.'],
		['too old', LINK_PROTOCOL - 1, 'connecting', 'The hub is too old for this Roost. Update the hub.'],
	])('is explained in one sentence: %s', async (_, version, state, reason) => {
		await using hub = await startScriptedHub();
		hub.tricks.challenge = (nonce) => ({
			type: 'hub.challenge',
			nonce,
			hub: hub.identity.id,
			protocol: { min: version, max: version },
		});
		await using rig = await openUplinkRig(hub);
		await waitFor(() => (unwrap(rig.uplink.status()).reason === reason ? true : undefined), {
			what: 'the reason',
			seen: () => rig.uplink.status(),
		});
		expect(unwrap(rig.uplink.status()).state).toBe(state);
	});

	it('may send frames that this runner does not know', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		hub.sendText(JSON.stringify({ type: 'of.tomorrow', with: 'anything' }));
		await rig.append('a', 1);
		await hub.has(1);
		expect(hub.of('runner.register')).toHaveLength(1);
	});
});

describe('hub that refuses', () => {
	it('for good is not dialled again until the pairing changes', async () => {
		await using hub = await startScriptedHub();
		const error = { code: 'unauthorized' as const, message: 'This runner was revoked.\u001b[2J' };
		hub.tricks.challenge = () => ({ type: 'refused', error, final: true });
		await using rig = await openUplinkRig(hub);
		await rig.until('refused');
		expect(unwrap(rig.uplink.status()).reason).toMatch(/^The hub refused this runner: This runner was revoked\.[ -~]*$/);
		expect(rig.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
		await waitFor(() => (hub.connections() === 0 ? true : undefined), { what: 'the end of the connection' });
		hub.tricks.challenge = undefined;
		pairWith(hub, rig.home);
		unwrap(rig.uplink.connect());
		await rig.until('connected');
	});

	it('for now is dialled again', async () => {
		await using hub = await startScriptedHub();
		let refusals = 0;
		hub.tricks.challenge = (nonce) =>
			refusals++ < 3
				? { type: 'refused', error: { code: 'store_unavailable', message: 'Later.' }, final: false }
				: { type: 'hub.challenge', nonce, hub: hub.identity.id, protocol: { min: 1, max: 1 } };
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		expect(refusals).toBe(4);
	});

	it('by going away is left within the time that it names', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		hub.send({ type: 'goaway', afterMs: 30 });
		await hub.connected(2);
		await rig.append('a', 1);
		await hub.has(1);
	});
});

describe('hub that sends nonsense', () => {
	it.each([
		['no JSON', 'garbage{'],
		['no object', '"text"'],
		['a message that is too long', 'x'.repeat(17 * 1024 * 1024)],
	])('is dialled again: %s', async (_, text) => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		hub.sendText(text);
		await hub.connected(2);
		await rig.append('a', 1);
		await hub.has(1);
	});

	it('or calls before it has proven its key gets no reply', async () => {
		await using hub = await startScriptedHub();
		hub.tricks.wrongKey = true;
		hub.tricks.challenge = (nonce) => {
			hub.sendText(
				JSON.stringify({ type: 'request', id: 'early', operation: 'rules.list', input: {}, by: { name: 'x', face: 'y' } }),
			);
			return { type: 'hub.challenge', nonce, hub: hub.identity.id, protocol: { min: 1, max: 1 } };
		};
		await using rig = await openUplinkRig(hub);
		await hub.connected(3);
		expect(hub.of('reply')).toEqual([]);
		expect(unwrap(rig.uplink.status()).state).toBe('connecting');
	});

	it('or a challenge that could hold two signed texts gets no signature', async () => {
		await using hub = await startScriptedHub();
		let calls = 0;
		hub.tricks.challenge = () => {
			calls += 1;
			return { type: 'hub.challenge', nonce: `${LONG_NONCE}\nother`, hub: hub.identity.id, protocol: { min: 1, max: 1 } };
		};
		await using _rig = await openUplinkRig(hub, { config: { heartbeatIntervalMs: 10 } });
		await waitFor(() => (calls > 1 ? true : undefined), { what: 'a second attempt' });
		expect(hub.of('runner.register')).toEqual([]);
	});
});

describe('hub that is silent', () => {
	it('is dead after two heartbeats, before and after the handshake', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub, { config: { heartbeatIntervalMs: 20 } });
		await rig.until('connected');
		hub.tricks.silent = true;
		await rig.until('connecting');
		expect(unwrap(rig.uplink.status()).reason).toBe('The hub does not answer.');
		hub.tricks.silent = false;
		await rig.until('connected');
		await rig.append('a', 1);
		await hub.has(1);
	});
});
