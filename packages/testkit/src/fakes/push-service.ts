// A push service on this machine (RFC 8030): takes pushes for its subscriptions, checks the sender (RFC 8292) and decrypts them (RFC 8291).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';

export type FakeSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export type ReceivedPush = {
	endpoint: string;
	/** As the browser would get it. */
	text: string;
	ttl: number;
	topic: string | undefined;
	urgency: string | undefined;
	/** Of the sender. */
	publicKey: string;
	contact: string;
};

export type FakePushService = AsyncDisposable & {
	/** For `push.hosts`. */
	readonly host: string;
	readonly received: readonly ReceivedPush[];
	/** Every request, also refused ones. */
	requests(): number;
	subscribe(): FakeSubscription;
	/** Answers this way from now on; undefined: as a working service. */
	answerWith(status: number | undefined, headers?: Record<string, string>): void;
};

type Kept = { decrypt(body: Buffer): string };

const DAY_SECONDS = 24 * 60 * 60;
const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string().regex(/^(?:mailto|https):/) });

export async function startPushService(): Promise<FakePushService> {
	const kept = new Map<string, Kept>();
	const received: ReceivedPush[] = [];
	let forced: { status: number; headers: Record<string, string> } | undefined;
	let count = 0;
	const server = createServer((request, response) => {
		count++;
		void readBody(request).then((body) => {
			const { status, headers = {} } = forced ?? take(request, body);
			response.writeHead(status, headers).end();
		});
	});

	function take(request: IncomingMessage, body: Buffer): { status: number; headers?: Record<string, string> } {
		const endpoint = `http://${host}${request.url}`;
		const subscription = kept.get(endpoint);
		if (!subscription) return { status: 404 };
		const ttl = Number(request.headers.ttl ?? Number.NaN);
		if (request.method !== 'POST' || Number.isNaN(ttl) || body.length > 4_096) return { status: 400 };
		if (request.headers['content-encoding'] !== 'aes128gcm') return { status: 415 };
		const sender = readSender(request.headers.authorization ?? '', `http://${host}`);
		if (!sender) return { status: 403 };
		const { topic, urgency } = z
			.object({ topic: z.string().max(32).optional(), urgency: z.string().optional() })
			.parse(request.headers);
		received.push({ endpoint, text: subscription.decrypt(body), ttl, topic, urgency, ...sender });
		return { status: 201, headers: { location: `${endpoint}/m/${received.length}` } };
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
	return {
		host,
		received,
		requests: () => count,
		subscribe() {
			const { keys, decrypt } = createReceiver();
			const endpoint = `http://${host}/push/${randomBytes(16).toString('base64url')}`;
			kept.set(endpoint, { decrypt });
			return { endpoint, keys };
		},
		answerWith(status, headers = {}) {
			forced = status === undefined ? undefined : { status, headers };
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** A browser: its keys, and how it reads a push. */
export function createReceiver(privateKey?: Buffer, auth = randomBytes(16)) {
	const own = createECDH('prime256v1');
	if (privateKey) own.setPrivateKey(privateKey);
	else own.generateKeys();

	function decrypt(body: Buffer): string {
		const [salt, keyEnd] = [body.subarray(0, 16), 21 + body.readUInt8(20)];
		const sender = body.subarray(21, keyEnd);
		const both = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
		const derive = (secret: Uint8Array, from: Buffer, purpose: Buffer | string, bytes: number) =>
			new Uint8Array(hkdfSync('sha256', secret, from, purpose, bytes));
		const secret = derive(own.computeSecret(sender), auth, both, 32);
		const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
		const decipher = createDecipheriv('aes-128-gcm', key, derive(secret, salt, 'Content-Encoding: nonce\0', 12));
		decipher.setAuthTag(body.subarray(-16));
		const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
		const end = padded.findLastIndex((byte) => byte !== 0);
		if (padded[end] !== 2) throw new Error('the last record has no delimiter');
		return padded.subarray(0, end).toString();
	}

	return { keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') }, decrypt };
}

/** Undefined if the signature or the claims are wrong. */
function readSender(authorization: string, audience: string): Pick<ReceivedPush, 'publicKey' | 'contact'> | undefined {
	const [, signed = '', signature = '', publicKey = ''] =
		/^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]{87})$/.exec(authorization) ?? [];
	const raw = Buffer.from(publicKey, 'base64url');
	if (raw.length !== 65) return undefined;
	const [x, y] = [raw.subarray(1, 33).toString('base64url'), raw.subarray(33).toString('base64url')];
	const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
	const proof = Buffer.from(signature, 'base64url');
	if (!verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, proof)) return undefined;
	const { aud, exp, sub } = claims.parse(JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString()));
	const left = exp - Date.now() / 1_000;
	return aud === audience && left > 0 && left <= DAY_SECONDS ? { publicKey, contact: sub } : undefined;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}
