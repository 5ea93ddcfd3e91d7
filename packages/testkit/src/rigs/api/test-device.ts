// A device played by a test: its own key, registered with a link and logged in like a browser, over raw HTTP.
import { generateKeyPairSync, sign } from 'node:crypto';
import { bearerIssued, challengeIssued, deviceRegistered } from '@roost/protocol/api/devices';
import { type SignedPurpose, toSignedText } from '@roost/protocol/api/signed-text';
import type { DeviceId } from '@roost/protocol/ids';
import { type RawResponse, sendRaw } from './raw-http.ts';

export type TestDevice = {
	readonly id: DeviceId;
	/** The headers of a request by its page: a new bearer, its origin and its host. */
	logIn(): Promise<{ authorization: string; origin: string; host: string }>;
	/** A new one, for the first frame of a socket. */
	bearer(): Promise<string>;
	/** Signs a challenge of another request. */
	sign(purpose: SignedPurpose, subject: string, challenge: string): string;
};

export type TestKey = { publicKey: string; sign: TestDevice['sign'] };

export function createTestKey(origin: string): TestKey {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	return {
		publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
		sign: (purpose, subject, challenge) =>
			sign(null, Buffer.from(toSignedText({ purpose, origin, subject, challenge })), privateKey).toString('base64url'),
	};
}

/** `origin`: of the page, such as that of a proxy. */
export async function registerTestDevice(
	port: number,
	ticket: string,
	{ name = 'a test', origin = `http://127.0.0.1:${port}` }: { name?: string; origin?: string } = {},
): Promise<TestDevice> {
	const { host } = new URL(origin);
	const key = createTestKey(origin);
	const { publicKey } = key;
	const post = (path: string, body: unknown, headers = {}) => postJson(port, path, body, { origin, host, ...headers });
	const signature = key.sign('register', publicKey, ticket);
	const registered = await post('/api/v1/devices', { ticket, name, publicKey, signature });
	const { id } = read(deviceRegistered, registered).device;

	async function bearer() {
		const { challenge } = read(challengeIssued, await post('/api/v1/challenges', { deviceId: id }));
		const answer = { deviceId: id, challenge, signature: key.sign('login', id, challenge) };
		return read(bearerIssued, await post('/api/v1/bearers', answer)).bearer;
	}

	return {
		id,
		logIn: async () => ({ authorization: `Bearer ${await bearer()}`, origin, host }),
		bearer,
		sign: key.sign,
	};
}

export function postJson(port: number, path: string, body: unknown, headers: Record<string, string>): Promise<RawResponse> {
	const sent = { 'content-type': 'application/json', ...headers };
	return sendRaw({ port, method: 'POST', path, headers: sent, body: JSON.stringify(body) });
}

function read<T>(schema: { parse(value: unknown): T }, reply: RawResponse): T {
	if (reply.status !== 201) throw new Error(`refused with ${reply.status}: ${reply.body}`);
	return schema.parse(JSON.parse(reply.body));
}
