// Bearers and challenges that every node of a hub accepts: they say what they are for, under the secret that the nodes share.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseJson } from '@roost/core/display/parse-json';
import type { Logins, Tickets } from '@roost/gateway/access/secrets';
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import { type DeviceId, deviceId } from '@roost/protocol/ids';
import { z } from 'zod';

export type SealedDeps = { secret: string; now: () => number; lifeMs: number };

/** A revoked device has no valid bearer, because the caller looks it up. */
export function createSealedLogins(deps: SealedDeps): Logins {
	const seals = createSeals('bearer', z.object({ device: deviceId }), deps);
	const ended = createListeners<[DeviceId]>();
	return {
		issue(device) {
			const { text, expiresAt } = seals.seal({ device });
			return { bearer: text, expiresAt };
		},
		find: (bearer) => seals.open(bearer)?.device,
		end(device) {
			for (const error of ended.emit(device)) warnOfFailure('A listener of logins', error);
		},
		onEnd: ended.add,
	};
}

/** Once on each node; the signature over it is worth something for seconds only. */
export function createSealedTickets<T extends Record<string, unknown>>(
	schema: z.ZodType<T>,
	deps: SealedDeps,
): Pick<Tickets<T>, 'issue' | 'redeem'> {
	const seals = createSeals('challenge', schema, deps);
	const used = new Map<string, number>();
	return {
		issue(purpose) {
			const { text, expiresAt } = seals.seal(purpose);
			return { ticket: text, expiresAt };
		},
		redeem(ticket) {
			for (const [old, until] of used) {
				// The oldest comes first.
				if (until > deps.now()) break;
				used.delete(old);
			}
			const opened = seals.open(ticket);
			// One signature can be written in several ways, but its body cannot.
			const [body = ''] = ticket.split('.');
			if (opened === undefined || used.has(body)) return undefined;
			used.set(body, deps.now() + deps.lifeMs);
			return opened;
		},
	};
}

function createSeals<T extends Record<string, unknown>>(purpose: string, schema: z.ZodType<T>, deps: SealedDeps) {
	const { secret, now, lifeMs } = deps;
	const sealed = z.object({ nonce: z.string(), expiresAt: z.number(), for: schema });
	const macOf = (body: string) => createHmac('sha256', secret).update(`roost-hub-${purpose}\n${body}`).digest();
	return {
		seal(value: T): { text: string; expiresAt: number } {
			const expiresAt = now() + lifeMs;
			const nonce = randomBytes(16).toString('base64url');
			const body = Buffer.from(JSON.stringify({ nonce, expiresAt, for: value })).toString('base64url');
			return { text: `${body}.${macOf(body).toString('base64url')}`, expiresAt };
		},
		open(text: string): T | undefined {
			const [body = '', mac = '', ...rest] = text.split('.');
			const given = Buffer.from(mac, 'base64url');
			const expected = macOf(body);
			if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
			const found = sealed.safeParse(parseJson(Buffer.from(body, 'base64url').toString()));
			return found.success && now() < found.data.expiresAt ? found.data.for : undefined;
		},
	};
}
