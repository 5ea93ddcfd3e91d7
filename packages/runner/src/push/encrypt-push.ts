// The content of a push, encrypted for one browser (RFC 8291, aes128gcm): the push service cannot read it.
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

export type PushKeys = {
	/** The public key of the browser. */
	p256dh: Buffer;
	/** A secret that it shares with us. */
	auth: Buffer;
};

/** A key pair and a salt for one push alone. */
export type Fresh = { own: ECDH; salt: Buffer };

export const CURVE = 'prime256v1';
const RECORD_BYTES = 4_096;
/** Marks the last record, and there is only one. */
const LAST = Buffer.from([2]);

export function createFresh(): Fresh {
	const own = createECDH(CURVE);
	own.generateKeys();
	return { own, salt: randomBytes(16) };
}

/** Throws if the key of the browser is no point of the curve. */
export function encryptPush(content: Buffer, to: PushKeys, { own, salt }: Fresh): Buffer {
	const { key, nonce } = deriveKeys(own, to, salt);
	const cipher = createCipheriv('aes-128-gcm', key, nonce);
	const sealed = [cipher.update(content), cipher.update(LAST), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat([toHeader(salt, own.getPublicKey()), ...sealed]);
}

function deriveKeys(own: ECDH, { p256dh, auth }: PushKeys, salt: Buffer): { key: Buffer; nonce: Buffer } {
	const shared = own.computeSecret(p256dh);
	const both = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own.getPublicKey()]);
	const secret = derive(shared, auth, both, 32);
	return {
		key: derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
		nonce: derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
	};
}

function derive(secret: Buffer, salt: Buffer, purpose: Buffer, bytes: number): Buffer {
	return Buffer.from(hkdfSync('sha256', secret, salt, purpose, bytes));
}

function toHeader(salt: Buffer, publicKey: Buffer): Buffer {
	const size = Buffer.alloc(5);
	size.writeUInt32BE(RECORD_BYTES);
	size.writeUInt8(publicKey.length, 4);
	return Buffer.concat([salt, size, publicKey]);
}
