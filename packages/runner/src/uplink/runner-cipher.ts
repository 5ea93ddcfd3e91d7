// The runner's side of a sealed terminal over node:crypto: synchronous, because frames are sealed in the order in which they come.
import { createCipheriv, createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';
import {
	createNonces,
	type FrameKind,
	KEY_BYTES,
	readFrameHead,
	type Side,
	TAG_BYTES,
	toFrameHead,
	toKeyInfo,
} from '@roost/core/hub/sealed-terminal';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type RunnerCipher = {
	seal(kind: FrameKind, content: Uint8Array): Buffer<ArrayBuffer>;
	/** Undefined for a frame that is not the next one of the face. */
	open(frame: Uint8Array): { kind: FrameKind; content: Buffer } | undefined;
};

const CIPHER = 'aes-256-gcm';

/** The keys of one connection. `toTranscript`: the text that the runner signs, with its own key in it. */
export function exchangeKeys(
	faceKey: string,
	toTranscript: (runnerKey: string) => string,
): Result<{ publicKey: string; transcript: string; cipher: RunnerCipher }> {
	const own = generateKeyPairSync('x25519');
	const { x: publicKey = '' } = own.publicKey.export({ format: 'jwk' });
	const transcript = toTranscript(publicKey);
	try {
		const other = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: faceKey }, format: 'jwk' });
		const shared = diffieHellman({ privateKey: own.privateKey, publicKey: other });
		const keyOf = (side: Side) => Buffer.from(hkdfSync('sha256', shared, '', toKeyInfo(side, transcript), KEY_BYTES));
		return ok({ publicKey, transcript, cipher: createCipher({ sealing: keyOf('runner'), opening: keyOf('face') }) });
	} catch (cause) {
		// A point of small order gives no secret.
		return err(new AppError('denied', 'The key of this connection is not valid.', { cause }));
	}
}

function createCipher({ sealing, opening }: { sealing: Buffer; opening: Buffer }): RunnerCipher {
	const [nextSealed, nextOpened] = [createNonces(), createNonces()];
	return {
		seal(kind, content) {
			const cipher = createCipheriv(CIPHER, sealing, nextSealed()).setAAD(toFrameHead(kind));
			return Buffer.concat([toFrameHead(kind), cipher.update(content), cipher.final(), cipher.getAuthTag()]);
		},
		open(frame) {
			const kind = readFrameHead(frame);
			if (kind === undefined) return undefined;
			const tagAt = frame.length - TAG_BYTES;
			const cipher = createDecipheriv(CIPHER, opening, nextOpened(), { authTagLength: TAG_BYTES });
			cipher.setAAD(toFrameHead(kind)).setAuthTag(frame.subarray(tagAt));
			try {
				return { kind, content: Buffer.concat([cipher.update(frame.subarray(1, tagAt)), cipher.final()]) };
			} catch {
				return undefined;
			}
		},
	};
}
