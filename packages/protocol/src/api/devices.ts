// Devices over the wire: browsers that log in with a key of their own, and the short-lived secrets they get.
import { z } from 'zod';
import { deviceId } from '../ids.ts';

/** A raw Ed25519 public key. */
export const devicePublicKey = z.string().regex(/^[\w-]{43}$/, 'expected 32 bytes as base64url');
const signature = z.string().regex(/^[\w-]{86}$/, 'expected 64 bytes as base64url');
const secret = z.string().min(1).max(1_000);

/** `page`: a browser, which runs what the hub serves; `program`: the command line. */
export const deviceKind = z.enum(['page', 'program']);

export const device = z.object({
	id: deviceId,
	name: z.string(),
	/** Where its page was served: its key is valid only there. */
	origin: z.string(),
	publicKey: devicePublicKey,
	createdAt: z.number(),
	lastSeenAt: z.number(),
	/** Whose it is; only of a hub, which has several people and serves command lines too. */
	user: z.string().optional(),
	kind: deviceKind.optional(),
});
export type Device = z.infer<typeof device>;

const PROGRAM = 'hub:';

/** In place of an origin: the device is a command line that was paired with this hub, and its key is valid only there. */
export function programOrigin(hubId: string): string {
	return PROGRAM + hubId;
}

export function isProgramOrigin(origin: string): boolean {
	return origin.startsWith(PROGRAM);
}

/** `POST /tickets`: `path` is what a browser opens, on this machine or at one of the other origins. */
export const ticketIssued = z.object({
	ticket: z.string(),
	path: z.string(),
	expiresAt: z.number(),
	origins: z.array(z.string()).default([]),
});

/** `POST /devices`: the ticket of a link, and a signature that proves possession of the key. */
export const registerDeviceBody = z.strictObject({
	ticket: secret,
	name: z.string().trim().min(1).max(64),
	publicKey: devicePublicKey,
	signature,
});
export type RegisterDevice = z.infer<typeof registerDeviceBody>;

/** `POST /challenges` */
export const challengeBody = z.strictObject({ deviceId });
export const challengeIssued = z.object({ challenge: z.string(), expiresAt: z.number() });

/** `POST /bearers`: a signed challenge for a secret that lives for minutes. */
export const bearerBody = z.strictObject({ deviceId, challenge: secret, signature });
export const bearerIssued = z.object({ bearer: z.string(), expiresAt: z.number() });

/** The reply to `POST /devices`: the signature proved possession of the key, so the device is logged in. */
export const deviceRegistered = z.object({ device, login: bearerIssued });

/** The first frame on a socket that a browser opens; nothing is sent or accepted before it. */
export const bearerFrame = z.strictObject({ type: z.literal('bearer'), bearer: secret });

/** The close code of a socket without a valid bearer, or whose device was revoked. */
export const NOT_ADMITTED = 4401;

/** `DELETE /devices` */
export const devicesRevoked = z.object({ revoked: z.number() });
