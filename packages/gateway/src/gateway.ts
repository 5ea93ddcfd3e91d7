// The API as a server over a backend: wiring only.
import type { AddressInfo } from 'node:net';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createAttempts } from './attempts.ts';
import type { Backend } from './backend.ts';
import { osUserName } from './caller.ts';
import { createChecks, isLoopback } from './checks.ts';
import { createCommandBoard } from './command-board.ts';
import { createCredentials } from './credentials.ts';
import { createLogins } from './devices/logins.ts';
import { createTickets } from './devices/tickets.ts';
import { createHttpApp } from './http-app.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from './limits.ts';
import type { Log } from './log.ts';
import { createOnce } from './once.ts';
import { openApiRoute } from './openapi.ts';
import { createPeers, type JudgePeer } from './peers.ts';
import type { Reply } from './reply.ts';
import { isOpenRoute, type Route } from './route.ts';
import { agentRoutes } from './routes/agents.ts';
import { askRoutes } from './routes/asks.ts';
import { commandRoute } from './routes/commands.ts';
import { deviceRoutes } from './routes/devices.ts';
import { drivingRoutes } from './routes/driving.ts';
import { healthRoute } from './routes/health.ts';
import { launchRoutes } from './routes/launches.ts';
import { type LoginDeps, linkPath, loginRoutes } from './routes/login.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { mcpTrustRoutes } from './routes/mcp-trust.ts';
import { metricsRoute } from './routes/metrics.ts';
import { overviewRoute } from './routes/overview.ts';
import { pageRoutes } from './routes/page.ts';
import { pluginRoutes } from './routes/plugins.ts';
import { projectRoutes } from './routes/projects.ts';
import { ruleRoutes } from './routes/rules.ts';
import { searchRoute } from './routes/search.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { shelfRoutes } from './routes/shelf.ts';
import { streamRoute } from './routes/stream.ts';
import { terminalRoutes } from './routes/terminals.ts';
import { usageRoute } from './routes/usage.ts';
import { createSockets, type Lag, type Sockets } from './stream/sockets.ts';
import { createThrottledLog } from './throttled-log.ts';

export type Gateway = AsyncDisposable & {
	readonly url: string;
	readonly port: number;
	routes(): { method: string; url: string }[];
	/** How many listen to the stream or look at a terminal. */
	clients(): number;
	/** How many people look right now. */
	watching(): number;
	/** A link that logs a browser in, once and soon. */
	link(): { url: string; expiresAt: number };
	close(): Promise<void>;
};

export type GatewayDeps = {
	backend: Backend;
	host: string;
	port: number;
	token: string;
	now: () => number;
	newId: () => string;
	log?: Log;
	/** Told of a bearer token that is not ours, as often as one may be tried. */
	onWrongToken?: (token: string) => void;
	/** Who sends what decides; without it nobody looks. */
	judgePeer?: JudgePeer;
	/** Writes what `/metrics` answers. */
	metrics?: (own: GatewayFigures) => string;
	limits?: Partial<GatewayLimits>;
};

export type GatewayFigures = { clients: number; lag: Lag };

export async function startGateway(deps: GatewayDeps): Promise<Result<Gateway>> {
	const fault = findFault(deps);
	if (fault) return err(fault);
	const { backend, host, newId } = deps;
	const throttled = createThrottledLog(deps.log ?? (() => {}));
	const { log } = throttled;
	const userName = osUserName();
	const limits = { ...DEFAULT_LIMITS, ...deps.limits };
	const { routes, login } = wireRoutes(deps, limits, () => sockets);
	const { logins, attempts } = login;
	const checks = createChecks({
		host,
		userName,
		onWrongToken: deps.onWrongToken,
		isOpen: (method, path) => isOpenRoute(routes, method, path),
		attempts,
		credentials: createCredentials({ token: deps.token, logins, devices: backend.devices }),
	});
	const peers = createPeers(deps.judgePeer);
	const http = createHttpApp({ routes, checks, peers, limits, newId, log });
	const sockets = createSockets({ backend, checks, peers, logins, attempts, passes: login.sockets, limits, newId, log });
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

function wireRoutes({ backend, now, metrics }: GatewayDeps, limits: GatewayLimits, sockets: () => Sockets) {
	const login = createLogin(backend, now, limits);
	const once = createOnce<Reply>(limits.keptResults);
	const board = createCommandBoard(now);
	const described: Route[] = [
		healthRoute(),
		...loginRoutes(login),
		...deviceRoutes(login),
		...pageRoutes(),
		overviewRoute(backend, () => sockets().watching()),
		metricsRoute(() => metrics?.({ clients: sockets().clients(), lag: sockets().lag() }) ?? ''),
		...sessionRoutes(backend),
		...agentRoutes({ ...backend, once, board }),
		...drivingRoutes({ ...backend, once }),
		...shelfRoutes({ ...backend, once }),
		...pluginRoutes({ ...backend, once, board }),
		...mcpRoutes({ ...backend, once, board }),
		commandRoute(board),
		...terminalRoutes(backend.terminals, once),
		...projectRoutes(backend.projects),
		searchRoute(backend.record),
		usageRoute(backend.record),
		...askRoutes(backend.asks),
		...ruleRoutes(backend.rules),
		...launchRoutes(backend.launches),
		...mcpTrustRoutes(backend.mcpTrust),
		streamRoute(),
	];
	const routes = [...described, openApiRoute(described, backend.runner.version)];
	return { routes, login };
}

function createLogin({ devices }: Backend, now: () => number, limits: GatewayLimits): LoginDeps {
	const shortLived = { now, lifeMs: limits.ticketMs };
	return {
		devices,
		logins: createLogins({ now, bearerMs: limits.bearerMs }),
		attempts: createAttempts({ now, perMinute: limits.wrongPerMinute }),
		links: createTickets(shortLived),
		challenges: createTickets(shortLived),
		sockets: createTickets(shortLived),
	};
}
