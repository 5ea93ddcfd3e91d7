// The seal of a request, which a hub passes on with the command.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { SEAL_HEADER } from '@roost/protocol/hub/seal-header';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { toCaller } from './caller.ts';

const SEAL = { id: 'c1', device: 'kq7h2m5xw4rdahvb', issuedAt: 1, expiresAt: 2, signature: 'a'.repeat(86) };

describe('caller of a sealed request', () => {
	it('has the seal', () => {
		expect(unwrap(callerWith(toHeader(SEAL))).seal).toEqual(SEAL);
	});

	it('has none without the header', () => {
		expect(unwrap(callerWith(undefined)).seal).toBeUndefined();
	});

	it.each(['', '!', 'e30', toHeader({ ...SEAL, more: 1 })])('is refused with a broken seal: "%s"', (header) => {
		expect(unwrapError(callerWith(header))).toMatchObject({ code: 'bad_request', message: expect.stringContaining(SEAL_HEADER) });
	});
});

function toHeader(seal: object): string {
	return Buffer.from(JSON.stringify(seal)).toString('base64url');
}

function callerWith(header: string | undefined) {
	const request = new IncomingMessage(new Socket());
	if (header !== undefined) request.headers[SEAL_HEADER] = header;
	return toCaller(request, { via: 'token' }, { userName: 'lea' });
}
