// A terminal through a hub: the runner dials a channel of its own for each viewer, and what passes is sealed between the two.
import { z } from 'zod';
import { commandId } from '../api/driving.ts';
import { none, operation } from '../contract/operation.ts';
import { runnerId, terminalId } from '../ids.ts';
import { signature } from './command-proof.ts';
import { commandSeal } from './signed-command.ts';

/** Unguessable, and of one viewer: it is joined once. */
export const channelId = z.string().regex(/^[\w-]{22,64}$/, 'expected at least 128 bits as base64url');
export type ChannelId = z.infer<typeof channelId>;

/** Below the path where runners dial, with the id of the channel behind it. */
export const CHANNEL_FOLDER = '/terminals/';

/** A raw X25519 public key, made for one connection. */
const exchangeKey = z.string().regex(/^[\w-]{43}$/, 'expected 32 bytes as base64url');

/** The first message of a runner in a channel, for the hub. */
export const channelJoin = z.strictObject({
	type: z.literal('channel.join'),
	runner: runnerId,
	/** By the key that was paired, over the id of the channel. */
	signature,
});
export type ChannelJoin = z.infer<typeof channelJoin>;

/** Never called as an operation: a device signs it like one, with its key for this connection. */
export const terminalAttach = operation(
	{ method: 'POST', needs: 'own', from: 'machine', command: true, upgrade: true },
	'/terminals/:id/attach',
	'Attach to a terminal over a sealed channel',
	{ params: z.strictObject({ id: terminalId }), body: z.strictObject({ commandId, key: exchangeKey }), reply: none },
);
export const TERMINAL_ATTACH = 'terminals.attach';

/** The first message of a face; the runner compares it with what the hub asked for. */
export const sealedAttach = z.strictObject({
	type: z.literal(TERMINAL_ATTACH),
	input: z.strictObject({ id: terminalId, commandId, key: exchangeKey }),
	seal: commandSeal,
});
export type SealedAttach = z.infer<typeof sealedAttach>;

/** The answer of the runner; everything after it is sealed. */
export const sealedAttached = z.strictObject({
	type: z.literal('terminals.attached'),
	key: exchangeKey,
	/** By the key of the runner, over both keys and the signature of the face. */
	signature,
});
export type SealedAttached = z.infer<typeof sealedAttached>;
