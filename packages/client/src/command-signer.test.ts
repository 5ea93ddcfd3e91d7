// Both sides of a sealed command: signed with WebCrypto as in a browser, verified as a runner does.
import { createPublicKey, hash, verify, webcrypto } from 'node:crypto';
import { type Crypto, checkSeal, type SealedCommand } from '@roost/core/hub/signed-command';
import { contract } from '@roost/protocol/contract/contract';
import { deviceId, runnerId } from '@roost/protocol/ids';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createCommandSigner } from './command-signer.ts';

const RUNNER = runnerId.parse('runner-1');
const DEVICE = deviceId.parse('abcdefghjkmnpqrs');
const NOW = 1_700_000_000_000;
const NODE: Crypto = {
	hash: (text) => hash('sha256', text),
	isSignedBy(x, text, signature) {
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
		return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
	},
};
const ANSWER = {
	id: 's1',
	askId: 's1.1',
	nonce: 'n',
	decision: 'allow',
	modifiedInput: { b: 'ü\u2028', a: [1, { z: null, y: undefined }] },
};

describe('seal of a command', () => {
	it.each([
		['asks.approve', contract.asks.approve, ANSWER],
		['sessions.message', contract.sessions.message, { id: 's1', text: 'hello' }],
		['settings.change', contract.settings.change, { id: 's1', permissionMode: 'manual' }],
		['queue.cancel', contract.queue.cancel, { id: 's1', promptId: 'p1' }],
		['rules.remove', contract.rules.remove, { id: 'r1' }],
	])('is accepted by the runner, after the way through JSON: %s', async (name, operation, given) => {
		const world = await openWorld();
		const { seal, input } = await world.signer.seal({ runner: RUNNER, name, operation, input: given, expiresAt: NOW + 1 });
		expect('commandId' in input).toBe(operation.command ?? false);
		expect(unwrap(world.check({ operation: name, seal, input }))).toMatchObject({
			operation: name,
			command_id: 'c1',
			device_id: DEVICE,
		});
	});

	it('keeps the command id of a caller, so that a repeat is the same command', async () => {
		const { signer } = await openWorld();
		const command = { runner: RUNNER, name: 'sessions.end', operation: contract.sessions.end, expiresAt: NOW + 1 };
		expect(await signer.seal({ ...command, input: { id: 's1', commandId: 'mine' } })).toMatchObject({
			seal: { id: 'mine' },
			input: { commandId: 'mine' },
		});
	});

	it.each<[string, Partial<SealedCommand>]>([
		['another operation', { operation: 'asks.answer' }],
		['another input', { input: { ...ANSWER, commandId: 'c1', decision: 'deny' } }],
		['one part more', { input: { ...ANSWER, commandId: 'c1', persist: true } }],
		['one part less', { input: { ...ANSWER, commandId: 'c1', modifiedInput: undefined } }],
		['another id', { id: 'c2' }],
	])('covers every part of it: %s', async (_, over) => {
		const world = await openWorld();
		const { seal, input } = await world.sealAnswer();
		expect(world.check({ operation: 'asks.approve', seal, input })).toMatchObject({ ok: true });
		expect(world.check({ operation: 'asks.approve', seal, input, ...over })).toMatchObject({
			ok: false,
			error: { code: 'denied' },
		});
	});

	it('covers its own times and the runner', async () => {
		const world = await openWorld();
		const { seal, input } = await world.sealAnswer();
		const sealed = { operation: 'asks.approve', input };
		for (const changed of [{ issuedAt: NOW - 1 }, { expiresAt: NOW + 2 }])
			expect(world.check({ ...sealed, seal: { ...seal, ...changed } })).toMatchObject({ ok: false });
		expect(world.check({ ...sealed, seal }, runnerId.parse('runner-2'))).toMatchObject({ ok: false });
	});

	it('has the hash of what was shown, as the runner computes it', async () => {
		const { signer } = await openWorld();
		const shown = await signer.shown({ tool: 'Bash', input: { b: 1, a: 'ü' } });
		expect(shown).toBe(NODE.hash('roost-shown-1\n{"input":{"a":"ü","b":1},"tool":"Bash"}'));
	});
});

async function openWorld() {
	const pair = await webcrypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
	if (!('publicKey' in pair)) throw new Error('not a pair of keys');
	const { publicKey, privateKey } = pair;
	const { x = '' } = await webcrypto.subtle.exportKey('jwk', publicKey);
	const toBytes = (text: string) => new TextEncoder().encode(text);
	const signer = createCommandSigner({
		device: DEVICE,
		sign: async (text) => Buffer.from(await webcrypto.subtle.sign('Ed25519', privateKey, toBytes(text))).toString('base64url'),
		hash: async (text) => Buffer.from(await webcrypto.subtle.digest('SHA-256', toBytes(text))).toString('hex'),
		now: () => NOW,
		newId: () => 'c1',
	});
	const device = { id: DEVICE, publicKey: x, user: 'lea', classes: ['approve'] as const };
	return {
		signer,
		sealAnswer: () =>
			signer.seal({ runner: RUNNER, name: 'asks.approve', operation: contract.asks.approve, input: ANSWER, expiresAt: NOW + 1 }),
		check: (command: Pick<SealedCommand, 'operation' | 'seal' | 'input'> & { id?: string }, runner = RUNNER) => {
			const sent = JSON.parse(JSON.stringify(command));
			return checkSeal({ id: command.seal.id, kind: 'approve', by: { name: 'lea' }, device, ...sent }, runner, NOW, NODE);
		},
	};
}
