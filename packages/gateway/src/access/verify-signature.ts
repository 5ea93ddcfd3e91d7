// The proof of a device: an Ed25519 signature over a text with its purpose. No state, so that a hub can verify it too.
import { createPublicKey, hash, verify } from 'node:crypto';
import { toDeviceId as toDeviceIdBy } from '@roost/core/hub/device-id';
import { toSignedText } from '@roost/protocol/api/signed-text';
import type { DeviceId } from '@roost/protocol/ids';

export function verifySignature(publicKey: string, signed: Parameters<typeof toSignedText>[0], signature: string): boolean {
	return verifyText(publicKey, toSignedText(signed), signature);
}

/** Also false for an invalid key or signature. */
export function verifyText(publicKey: string, text: string, signature: string): boolean {
	try {
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
		return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
	} catch {
		// 32 bytes that are not a point of the curve.
		return false;
	}
}

export function toDeviceId(publicKey: string): DeviceId {
	return toDeviceIdBy(publicKey, (text) => hash('sha256', text));
}
