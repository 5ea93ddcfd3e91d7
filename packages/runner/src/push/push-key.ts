// The key of this runner for push services (RFC 8292): they accept a push only from the key that the browser subscribed with.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import type { Home } from '@roost/home/home';
import { createPrivateFile, readPrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Made once; kept in a private file. */
export function keepPushKey({ data }: Pick<Home, 'data'>): Result<KeyObject> {
	const path = join(data, 'push-key.pem');
	const found = readPrivateFile(path);
	if (!found.ok) return found;
	if (found.value !== null) return readKey(path, found.value);
	const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const made = createPrivateFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
	return made.ok ? ok(privateKey) : made;
}

function readKey(path: string, text: string): Result<KeyObject> {
	try {
		const key = createPrivateKey(text);
		if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return ok(key);
	} catch {
		// Reported below, like a key of another kind.
	}
	return err(
		new AppError('cannot_start', `${path} is not a key for notifications. Remove it, and turn them on again in each browser.`),
	);
}

/** As browsers take it: the uncompressed point. */
export function toPublicKey(privateKey: KeyObject): string {
	const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
	return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url');
}

/** Services accept at most 24 hours. */
const VALID_SECONDS = 12 * 60 * 60;

/** `contact`: where the service can reach the sender; it has to be an address of mail or of the web. */
export function toVapidHeader(
	privateKey: KeyObject,
	{ endpoint, contact, now }: { endpoint: string; contact: string; now: number },
): string {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1_000) + VALID_SECONDS, sub: contact };
	const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
	const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
	return `vapid t=${signed}.${signature.toString('base64url')}, k=${toPublicKey(privateKey)}`;
}
