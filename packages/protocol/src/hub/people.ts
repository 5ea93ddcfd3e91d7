// People of a hub, over the wire: what they may do, on which runners, and how they are invited.
import { z } from 'zod';
import { device, deviceKind } from '../api/devices.ts';
import { runnerId } from '../ids.ts';

/** Sets, not a ladder: an approver cannot prompt, and an admin of the hub has no power on a machine. */
export const personRole = z.enum(['viewer', 'operator', 'approver', 'admin', 'owner']);
export type PersonRole = z.infer<typeof personRole>;

/** `runner` null: on all runners. */
export const grant = z.object({ runner: runnerId.nullable(), role: personRole });
export type Grant = z.infer<typeof grant>;

export const userName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, 'expected 1 to 32 of a-z, 0-9, ".", "_" and "-"');

export const person = z.object({
	name: userName,
	grants: z.array(grant),
	devices: z.array(device.extend({ kind: deviceKind })),
});
export type Person = z.infer<typeof person>;

/** `POST /pairings`: a link that adds a runner or a browser of this user. */
export const pairingBody = z.strictObject({ user: userName.optional(), grants: z.array(grant).max(100).optional() });

/** The code is shown once; the hub keeps only its hash. */
export const pairingIssued = z.object({ code: z.string(), path: z.string(), expiresAt: z.number(), user: userName });

export const auditEntry = z.object({
	n: z.int().positive(),
	at: z.number(),
	who: z.string(),
	what: z.string(),
	hash: z.string(),
});
