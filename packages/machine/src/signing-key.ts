// Ed25519 keys: made, kept as text, and used to sign and verify texts.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/** Both parts as base64url of the raw 32 bytes. */
export type SigningKey = { publicKey: string; privateKey: string };

export function createSigningKey(): SigningKey {
	const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
	return { publicKey: x, privateKey: d };
}

/** The signature as base64url of 64 bytes. */
export function signText({ publicKey, privateKey }: SigningKey, text: string): string {
	const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: privateKey }, format: 'jwk' });
	return sign(null, Buffer.from(text), key).toString('base64url');
}

/** Also false for an invalid key or signature. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
	try {
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
		return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
	} catch {
		// 32 bytes that are not a point of the curve.
		return false;
	}
}
