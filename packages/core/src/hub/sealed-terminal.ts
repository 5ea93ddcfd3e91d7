// How a terminal through a hub is sealed: what its keys are derived from, and how its frames are written. Ciphers are arguments.
// One key for each direction (AES-256-GCM) from X25519 by HKDF-SHA256 without a salt; nonces are counted and not sent.

export type Side = 'face' | 'runner';

export const KEY_BYTES = 32;
export const TAG_BYTES = 16;

/** The `info` of HKDF for the key that a side seals with. `transcript`: the text of purpose "terminal" that the runner signed. */
export function toKeyInfo(side: Side, transcript: string): string {
	return `roost-terminal-keys-1\n${side}\n${transcript}`;
}

const NONCE_BYTES = 12;

/** The nonces of one direction. They are not sent, so a frame that is lost, repeated or moved cannot be opened. */
export function createNonces(): () => Uint8Array<ArrayBuffer> {
	let count = 0;
	return () => {
		const nonce = new Uint8Array(NONCE_BYTES);
		const view = new DataView(nonce.buffer);
		view.setUint32(4, Math.floor(count / 2 ** 32));
		view.setUint32(8, count % 2 ** 32);
		count += 1;
		return nonce;
	};
}

export type FrameKind = 'text' | 'bytes';

const KIND_BYTE: Readonly<Record<FrameKind, number>> = { text: 0, bytes: 1 };

/** The first byte of a frame, which its tag covers. */
export function toFrameHead(kind: FrameKind): Uint8Array<ArrayBuffer> {
	return Uint8Array.of(KIND_BYTE[kind]);
}

/** Undefined where it is no frame. */
export function readFrameHead(frame: Uint8Array): FrameKind | undefined {
	if (frame.length < 1 + TAG_BYTES) return undefined;
	return frame[0] === KIND_BYTE.text ? 'text' : frame[0] === KIND_BYTE.bytes ? 'bytes' : undefined;
}

export function toSealedFrame(kind: FrameKind, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
	const frame = new Uint8Array(1 + sealed.length);
	frame[0] = KIND_BYTE[kind];
	frame.set(sealed, 1);
	return frame;
}
