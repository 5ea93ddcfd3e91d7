// The gateway over a test backend on a free port, with a token that tests know; it can stop and listen again.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Gateway, type GatewayDeps, startGateway } from '@roost/gateway/gateway';
import type { Backend } from '@roost/gateway/operations/backend';
import { ensureHome, resolveHome } from '@roost/home/home';
import { writeRunnerFile } from '@roost/home/runner-file';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { type RawRequest, type RawResponse, sendRaw } from './raw-http.ts';
import { openRawStream, type RawStream, type RawUpgrade } from './raw-stream.ts';
import { createTestBackend, type TestBackend } from './test-backend.ts';
import { registerTestDevice, type TestDevice } from './test-device.ts';

export const TEST_TOKEN = 'test-token-test-token-test-token-';

export type TestGateway = AsyncDisposable & {
	readonly gateway: Gateway;
	readonly url: string;
	readonly token: string;
	readonly world: TestBackend;
	/** All lines of the gateway's log. */
	readonly logged: readonly Record<string, unknown>[];
	/** With the token, unless the headers say otherwise. */
	call(request: Omit<RawRequest, 'port'>): Promise<RawResponse>;
	post(path: string, body: unknown, headers?: Record<string, string>): Promise<RawResponse>;
	open(options?: Omit<RawUpgrade, 'port'>): Promise<RawStream>;
	/** A browser that was registered with a link; on this machine, unless its page has another origin. */
	addDevice(origin?: string): Promise<TestDevice>;
	/** The stream, as the client opens it. */
	openSocket(): RigSocket;
	/** Closes the gateway and all its connections; the record stays. */
	stop(): Promise<void>;
	/** Listens again at the same address. */
	start(): Promise<void>;
};

export type RigSocket = {
	send(text: string): void;
	close(): void;
	onOpen(handler: () => void): void;
	onText(handler: (text: string) => void): void;
	onClose(handler: (reason: string) => void): void;
};

export const BEARER = { authorization: `Bearer ${TEST_TOKEN}` };

/** `change` replaces parts of the backend; `project` is that of its sessions. */
export async function startTestGateway(
	over: Partial<GatewayDeps> = {},
	change: (backend: Backend) => Backend = (backend) => backend,
	project?: string,
): Promise<TestGateway> {
	const world = createTestBackend(project === undefined ? {} : { project });
	const logged: Record<string, unknown>[] = [];
	const deps = { ...defaults(change(world.backend), logged), ...over };
	let gateway = unwrap(await startGateway(deps));
	const { port, url } = gateway;
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
		url,
		token: TEST_TOKEN,
		world,
		logged,
		call,
		post,
		open: (options = {}) => openRawStream({ headers: BEARER, ...options, port }),
		async addDevice(origin) {
			const issued: { ticket: string } = JSON.parse((await post('/api/v1/tickets', {})).body);
			return await registerTestDevice(port, issued.ticket, origin === undefined ? {} : { origin });
		},
		openSocket: () => openRigSocket(`${url.replace('http', 'ws')}/api/v1/stream`, TEST_TOKEN),
		stop: () => gateway.close(),
		async start() {
			gateway = unwrap(await startGateway({ ...deps, port }));
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

export function openRigSocket(url: string, token: string): RigSocket {
	const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}`, 'x-roost-face': 'cli' } });
	return {
		send: (text) => socket.send(text),
		close: () => socket.close(),
		onOpen: (handler) => socket.addEventListener('open', () => handler()),
		onText: (handler) => socket.addEventListener('message', ({ data }) => handler(String(data))),
		onClose: (handler) => socket.addEventListener('close', ({ reason }) => handler(reason)),
	};
}

export type PlayedRunner = TestGateway & {
	/** The project of its sessions. */
	readonly folder: string;
	readonly env: Readonly<Record<string, string>>;
};

/** Commands and the terminal UI find this gateway as the runner of a home. */
export async function playRunner(): Promise<PlayedRunner> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir()).path;
	const folder = join(temp, 'project');
	await mkdir(folder);
	const env = { PATH: process.env.PATH ?? '', HOME: temp, ROOST_HOME: join(temp, 'roost'), ROOST_AUTH_TOKEN: TEST_TOKEN };
	const home = unwrap(resolveHome(env));
	unwrap(ensureHome(home));
	const gateway = stack.use(await startTestGateway({}, undefined, folder));
	unwrap(writeRunnerFile(home, { port: gateway.gateway.port, version: '0.1.0', startedAt: Date.now() }));
	const owned = stack.move();
	return { ...gateway, folder, env, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
