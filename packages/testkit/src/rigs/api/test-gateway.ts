// The gateway over a test backend, on a free port, with a token tests know.

import { type Gateway, type GatewayDeps, startGateway } from '@roost/gateway/gateway';
import type { Backend } from '@roost/gateway/operations/backend';
import { unwrap } from '../unwrap.ts';
import { type RawRequest, type RawResponse, sendRaw } from './raw-http.ts';
import { openRawStream, type RawStream, type RawUpgrade } from './raw-stream.ts';
import { createTestBackend, type TestBackend } from './test-backend.ts';
import { registerTestDevice, type TestDevice } from './test-device.ts';

export const TEST_TOKEN = 'test-token-test-token-test-token-';

export type TestGateway = AsyncDisposable & {
	readonly gateway: Gateway;
	readonly world: TestBackend;
	/** Every line the gateway logged. */
	readonly logged: readonly Record<string, unknown>[];
	/** With the token, unless the headers say otherwise. */
	call(request: Omit<RawRequest, 'port'>): Promise<RawResponse>;
	post(path: string, body: unknown, headers?: Record<string, string>): Promise<RawResponse>;
	open(options?: Omit<RawUpgrade, 'port'>): Promise<RawStream>;
	/** A browser that came with a link. */
	addDevice(): Promise<TestDevice>;
};

export const BEARER = { authorization: `Bearer ${TEST_TOKEN}` };

/** `change` replaces parts of the backend. */
export async function startTestGateway(
	over: Partial<GatewayDeps> = {},
	change: (backend: Backend) => Backend = (backend) => backend,
): Promise<TestGateway> {
	const world = createTestBackend();
	const logged: Record<string, unknown>[] = [];
	const gateway = unwrap(await startGateway({ ...defaults(change(world.backend), logged), ...over }));
	const { port } = gateway;
	const call = (request: Omit<RawRequest, 'port'>) => sendRaw({ headers: BEARER, ...request, port });
	const post = (path: string, body: unknown, headers = {}) =>
		call({
			method: 'POST',
			path,
			headers: { ...BEARER, 'content-type': 'application/json', ...headers },
			body: JSON.stringify(body),
		});
	return {
		gateway,
		world,
		logged,
		call,
		post,
		open: (options = {}) => openRawStream({ headers: BEARER, ...options, port }),
		async addDevice() {
			const issued: { ticket: string } = JSON.parse((await post('/api/v1/tickets', {})).body);
			return await registerTestDevice(port, issued.ticket);
		},
		async [Symbol.asyncDispose]() {
			await gateway.close();
			await world[Symbol.asyncDispose]();
		},
	};
}

function defaults(backend: Backend, logged: Record<string, unknown>[]): GatewayDeps {
	let ids = 0;
	return {
		backend,
		host: '127.0.0.1',
		port: 0,
		token: TEST_TOKEN,
		now: Date.now,
		newId: () => `id-${ids++}`,
		log: (line) => logged.push(line),
	};
}
