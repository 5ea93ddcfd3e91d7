import { deviceId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSealedLogins, createSealedTickets } from './sealed-secrets.ts';

const DEVICE = deviceId.parse('abcdefghjkmnpqrs');
const challenged = z.object({ device: deviceId });

function openNode(secret = 'shared', clock = { now: 1_000 }) {
	const deps = { secret, now: () => clock.now, lifeMs: 100 };
	return { clock, logins: createSealedLogins(deps), challenges: createSealedTickets(challenged, deps) };
}

describe('sealed bearers', () => {
	it('are accepted by every node with the same secret, until they expire', () => {
		const [one, other] = [openNode(), openNode()];
		const { bearer, expiresAt } = one.logins.issue(DEVICE);
		expect([expiresAt, other.logins.find(bearer)]).toEqual([1_100, DEVICE]);
		other.clock.now = 1_099;
		expect(other.logins.find(bearer)).toBe(DEVICE);
		other.clock.now = 1_100;
		expect(other.logins.find(bearer)).toBeUndefined();
	});

	it('are refused by a hub with another secret', () => {
		expect(openNode('another').logins.find(openNode().logins.issue(DEVICE).bearer)).toBeUndefined();
	});

	it('are refused when anything in them was changed', () => {
		const { logins } = openNode();
		const { bearer } = logins.issue(DEVICE);
		const [body = '', mac = ''] = bearer.split('.');
		const other = Buffer.from(body, 'base64url').toString().replace('1100', '9999');
		const forged = `${Buffer.from(other).toString('base64url')}.${mac}`;
		for (const text of [forged, `${body}.`, body, `.${mac}`, '', '.', `${bearer}.x`, `${body}.${'A'.repeat(43)}`, 'ü.ü']) {
			expect(logins.find(text), text).toBeUndefined();
		}
		for (let at = 0; at < body.length; at += 1) {
			const changed = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}.${mac}`;
			expect(logins.find(changed), `changed at ${at}`).toBeUndefined();
		}
	});

	it('are no challenges, and challenges are no bearers', () => {
		const { logins, challenges } = openNode();
		expect(challenges.redeem(logins.issue(DEVICE).bearer)).toBeUndefined();
		expect(logins.find(challenges.issue({ device: DEVICE }).ticket)).toBeUndefined();
	});

	it('tell listeners of a device whose logins end', () => {
		const { logins } = openNode();
		const ended: string[] = [];
		const stop = logins.onEnd((id) => void ended.push(id));
		logins.end(DEVICE);
		stop();
		logins.end(DEVICE);
		expect(ended).toEqual([DEVICE]);
	});
});

describe('sealed challenges', () => {
	it('work once, however their signature is written', () => {
		const { challenges } = openNode();
		const { ticket } = challenges.issue({ device: DEVICE });
		expect(challenges.redeem(ticket)).toEqual({ device: DEVICE });
		// The last character has bits that decoding ignores, and so does padding.
		for (const same of [ticket, `${ticket}=`, `${ticket} `, ...variants(ticket)]) {
			expect(challenges.redeem(same), same).toBeUndefined();
		}
	});

	it('expire, and are then forgotten', () => {
		const { challenges, clock } = openNode();
		const { ticket } = challenges.issue({ device: DEVICE });
		clock.now = 1_100;
		expect(challenges.redeem(ticket)).toBeUndefined();
		const later = challenges.issue({ device: DEVICE }).ticket;
		expect(challenges.redeem(later)).toEqual({ device: DEVICE });
		clock.now = 1_300;
		expect([challenges.redeem(later), challenges.redeem(later)]).toEqual([undefined, undefined]);
	});
});

function variants(ticket: string): string[] {
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
	return [...alphabet].map((last) => ticket.slice(0, -1) + last);
}
