// The face's side of a sealed terminal over WebCrypto, as browsers and Node have it.
import {
	createNonces,
	type FrameKind,
	KEY_BYTES,
	readFrameHead,
	type Side,
	toFrameHead,
	toKeyInfo,
	toSealedFrame,
} from '@roost/core/hub/sealed-terminal';

/** A key pair for one connection. */
export type FaceExchange = {
	/** Base64url of 32 bytes. */
	readonly publicKey: string;
	/** Rejects a key that is none. */
	toCipher(runnerKey: string, transcript: string): Promise<FaceCipher>;
};

export type FaceCipher = {
	/** Frames are counted in the order of the calls. */
	seal(content: string | Uint8Array): Promise<Uint8Array>;
	/** Rejects a frame that is not the next one of the runner. */
	open(frame: Uint8Array): Promise<string | Uint8Array>;
};

type Bytes = Uint8Array<ArrayBuffer>;
type Jwk = { kty?: string; crv?: string; x?: string };

/** What is used of `crypto.subtle`. */
export type Subtle<Key extends object> = {
	generateKey(algorithm: 'X25519', extractable: boolean, usages: ['deriveBits']): Promise<Key | KeyPair<Key>>;
	exportKey(format: 'jwk', key: Key): Promise<Jwk>;
	importKey(format: 'jwk', key: Jwk, algorithm: 'X25519', extractable: boolean, usages: []): Promise<Key>;
	importKey(format: 'raw', key: ArrayBuffer, algorithm: 'HKDF' | 'AES-GCM', extractable: boolean, usages: Usage[]): Promise<Key>;
	deriveBits(algorithm: { name: 'X25519'; public: Key } | Hkdf, key: Key, length: number): Promise<ArrayBuffer>;
	encrypt(algorithm: Gcm, key: Key, content: Bytes): Promise<ArrayBuffer>;
	decrypt(algorithm: Gcm, key: Key, content: Bytes): Promise<ArrayBuffer>;
};

type KeyPair<Key> = { publicKey: Key; privateKey: Key };
type Usage = 'deriveBits' | 'encrypt' | 'decrypt';
type Hkdf = { name: 'HKDF'; hash: 'SHA-256'; salt: Bytes; info: Bytes };
type Gcm = { name: 'AES-GCM'; iv: Bytes; additionalData: Bytes };

export type FaceCrypto<Key extends object> = {
	readonly subtle: Subtle<Key>;
	/** To and from UTF-8. */
	encode(text: string): Bytes;
	decode(bytes: Uint8Array): string;
};

export async function newFaceExchange<Key extends object>(web: FaceCrypto<Key>): Promise<FaceExchange> {
	const { subtle } = web;
	const own = await subtle.generateKey('X25519', false, ['deriveBits']);
	if (!('publicKey' in own)) throw new Error('X25519 gave no pair of keys');
	const { x = '' } = await subtle.exportKey('jwk', own.publicKey);
	return {
		publicKey: x,
		async toCipher(runnerKey, transcript) {
			const other = await subtle.importKey('jwk', { kty: 'OKP', crv: 'X25519', x: runnerKey }, 'X25519', false, []);
			const shared = await subtle.deriveBits({ name: 'X25519', public: other }, own.privateKey, 8 * KEY_BYTES);
			const secret = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits']);
			const keyOf = async (side: Side, usage: 'encrypt' | 'decrypt') => {
				const info = web.encode(toKeyInfo(side, transcript));
				const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info } as const;
				const bits = await subtle.deriveBits(hkdf, secret, 8 * KEY_BYTES);
				return await subtle.importKey('raw', bits, 'AES-GCM', false, [usage]);
			};
			return createCipher(web, { sealing: await keyOf('face', 'encrypt'), opening: await keyOf('runner', 'decrypt') });
		},
	};
}

function createCipher<Key extends object>(
	{ subtle, encode, decode }: FaceCrypto<Key>,
	keys: { sealing: Key; opening: Key },
): FaceCipher {
	const [nextSealed, nextOpened] = [createNonces(), createNonces()];
	const gcm = (iv: Bytes, kind: FrameKind): Gcm => ({ name: 'AES-GCM', iv, additionalData: toFrameHead(kind) });

	return {
		async seal(content) {
			const kind = typeof content === 'string' ? 'text' : 'bytes';
			const plain = typeof content === 'string' ? encode(content) : Uint8Array.from(content);
			const sealed = await subtle.encrypt(gcm(nextSealed(), kind), keys.sealing, plain);
			return toSealedFrame(kind, new Uint8Array(sealed));
		},
		async open(frame) {
			const kind = readFrameHead(frame);
			if (kind === undefined) throw new Error('not a sealed frame');
			const opened = await subtle.decrypt(gcm(nextOpened(), kind), keys.opening, Uint8Array.from(frame.subarray(1)));
			const content = new Uint8Array(opened);
			return kind === 'text' ? decode(content) : content;
		},
	};
}
