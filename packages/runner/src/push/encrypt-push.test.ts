import { createECDH } from 'node:crypto';
import { createReceiver } from '@roost/testkit/fakes/push-service';
import { expect, it } from 'vitest';
import { CURVE, createFresh, encryptPush } from './encrypt-push.ts';

const from = (text: string) => Buffer.from(text, 'base64url');

/** The example of RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
	content: 'When I grow up, I want to be a watermelon',
	sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
	receiver: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
	p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
	auth: 'BTBZMqHH6r4Tts7J_aSIgg',
	salt: 'DGv6ra1nlYgDCS1FRnbzlw',
	body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

it('encrypts the example of the standard to the same bytes', () => {
	const own = createECDH(CURVE);
	own.setPrivateKey(from(EXAMPLE.sender));
	const to = { p256dh: from(EXAMPLE.p256dh), auth: from(EXAMPLE.auth) };
	const body = encryptPush(Buffer.from(EXAMPLE.content), to, { own, salt: from(EXAMPLE.salt) });
	expect(body.toString('base64url')).toBe(EXAMPLE.body);
	expect(createReceiver(from(EXAMPLE.receiver), from(EXAMPLE.auth)).decrypt(body)).toBe(EXAMPLE.content);
});

it('is read only by the browser it was made for, and differs each time', () => {
	const [browser, other] = [createReceiver(), createReceiver()];
	const to = { p256dh: from(browser.keys.p256dh), auth: from(browser.keys.auth) };
	const bodies = ['first', 'second'].map(() => encryptPush(Buffer.from('{"count":2}'), to, createFresh()));
	for (const body of bodies) expect(browser.decrypt(body)).toBe('{"count":2}');
	expect(bodies[0]).not.toEqual(bodies[1]);
	expect(() => other.decrypt(bodies[0] ?? Buffer.alloc(0))).toThrow();
});

it('rejects a key that is no point of the curve', () => {
	const to = { p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16) };
	expect(() => encryptPush(Buffer.from('x'), to, createFresh())).toThrow();
});
