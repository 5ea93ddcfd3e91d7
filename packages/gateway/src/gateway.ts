// The API as a server over a backend: wiring only.
import type { AddressInfo } from 'node:net';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createAttempts } from './access/attempts.ts';
import { osUserName } from './access/caller.ts';
import { createChecks, isLoopback } from './access/checks.ts';
import { createPeers, type JudgePeer } from './access/peers.ts';
import { createCredentials, createLogins, createTickets } from './access/secrets.ts';
import { feedHandlers } from './handlers/feed.ts';
import { deviceHandlers, type LoginDeps, linkPath, loginHandlers } from './handlers/login.ts';
import { pushHandlers } from './handlers/push.ts';
import { serverHandlers } from './handlers/server.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from './http/limits.ts';
import { createThrottledLog, type Log } from './http/log.ts';
import { readPage } from './http/page-files.ts';
import { createHttpApp, isOpen } from './http-app.ts';
import { type Callable, createApi } from './operations/api.ts';
import type { Backend } from './operations/backend.ts';
import { createCommandProgress } from './operations/command-progress.ts';
import { createSockets, type Lag, type Sockets } from './stream-sockets.ts';

export type Gateway = AsyncDisposable & {
	readonly url: string;
	readonly port: number;
	routes(): { method: string; url: string }[];
	/** Number of clients of the stream and of terminals. */
	clients(): number;
	/** Number of people watching. */
	watching(): number;
	/** A link that logs a browser in, once, within seconds. */
	link(): { url: string; expiresAt: number };
	close(): Promise<void>;
};

export type GatewayDeps = {
	backend: Backend;
	host: string;
	port: number;
	/** At which https proxies of the user serve it. */
	origins?: readonly string[];
	token: string;
	now: () => number;
	newId: () => string;
	log?: Log;
	/** Called with an invalid bearer token, within the limit of attempts. */
	onWrongToken?: (token: string) => void;
	/** Identifies the process of a caller; without it no process is checked. */
	judgePeer?: JudgePeer;
	/** Makes the reply of `/metrics`. */
	metrics?: (own: GatewayFigures) => string;
	limits?: Partial<GatewayLimits>;
	/** With the built page; that of this program by default. */
	pageFolder?: string;
};

export type GatewayFigures = { clients: number; lag: Lag };

export async function startGateway(deps: GatewayDeps): Promise<Result<Gateway>> {
	const fault = findFault(deps);
	if (fault) return err(fault);
	const { backend, host, newId, origins = [] } = deps;
	const throttled = createThrottledLog(deps.log ?? (() => {}));
	const { log } = throttled;
	const userName = osUserName();
	const limits = { ...DEFAULT_LIMITS, ...deps.limits };
	const page = readPage(deps.pageFolder);
	const { api, login } = wireApi(deps, limits, () => sockets);
	const { logins, attempts } = login;
	const checks = createChecks({
		host,
		origins,
		userName,
		onWrongToken: deps.onWrongToken,
		isOpen: (asked) => isOpen({ api, files: page.files }, asked),
		attempts,
		credentials: createCredentials({ token: deps.token, logins, devices: backend.deviceBook }),
	});
	const peers = createPeers(deps.judgePeer);
	const http = createHttpApp({ api, page, checks, peers, limits, newId, log });
	const sockets = createSockets({ backend, api, checks, peers, logins, limits, newId, log });
	sockets.serve(http.app.server);
	let closing: Promise<void> | undefined;

	function close(): Promise<void> {
		closing ??= sockets.close().then(() => {
			throttled[Symbol.dispose]();
			return http.app.close();
		});
		return closing;
	}

	try {
		await http.app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port: deps.port });
	} catch (cause) {
		await close();
		return err(new AppError('cannot_start', `Cannot listen on ${host}:${deps.port}: ${whyNot(cause)}. ${OTHER_PORT}`, { cause }));
	}
	const port = portOf(http.app.server.address()) ?? deps.port;
	const url = `http://${host === '::1' ? '[::1]' : host}:${port}`;
	const link = () => {
		const { ticket, expiresAt } = login.links.issue({ by: { name: userName, face: 'runner' } });
		return { url: `${url}${linkPath(ticket)}`, expiresAt };
	};
	const { clients, watching } = sockets;
	return ok({ url, port, routes: http.routes, clients, watching, link, close, [Symbol.asyncDispose]: close });
}

const OTHER_PORT = 'Choose another port with "roost up --port <n>", or set runner.port in config.yaml.';

function whyNot(cause: unknown): string {
	const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
	if (code === 'EADDRINUSE') return 'another program uses this port';
	if (code === 'EACCES') return 'this port needs more privileges';
	return cause instanceof Error ? cause.message : String(cause);
}

function portOf(address: AddressInfo | string | null): number | undefined {
	return typeof address === 'object' ? address?.port : undefined;
}

const SHORTEST_TOKEN = 32;

function findFault({ host, token }: GatewayDeps): AppError | undefined {
	if (!isLoopback(host)) {
		return new AppError('cannot_start', `Roost listens on loopback only, not on ${host}: set runner.host to 127.0.0.1.`);
	}
	if (token.length < SHORTEST_TOKEN) {
		return new AppError('cannot_start', `The token is too short: auth.token needs at least ${SHORTEST_TOKEN} characters.`);
	}
	return undefined;
}

function wireApi(
	{ backend, now, metrics, origins = [] }: GatewayDeps,
	limits: GatewayLimits,
	sockets: () => Sockets,
): { api: readonly Callable[]; login: LoginDeps } {
	const login = { ...createLogin(backend, now, limits), origins };
	const progress = createCommandProgress(now);
	const handlers = {
		...backend,
		feed: feedHandlers(backend),
		commands: { progress: ({ id }: { id: string }) => ok(progress.read(id)) },
		login: loginHandlers(login),
		devices: deviceHandlers({ ...login, push: backend.pushBook }),
		push: pushHandlers(backend.pushBook),
		server: serverHandlers({
			backend,
			watching: () => sockets().watching(),
			metrics: () => metrics?.({ clients: sockets().clients(), lag: sockets().lag() }) ?? '',
		}),
	};
	return { api: createApi(handlers, { receipts: backend.receipts, progress }), login };
}

function createLogin({ deviceBook: devices }: Backend, now: () => number, limits: GatewayLimits): Omit<LoginDeps, 'origins'> {
	const shortLived = { now, lifeMs: limits.ticketMs };
	return {
		devices,
		logins: createLogins({ now, bearerMs: limits.bearerMs }),
		attempts: createAttempts({ now, perMinute: limits.wrongPerMinute }),
		links: createTickets(shortLived),
		challenges: createTickets(shortLived),
	};
}
