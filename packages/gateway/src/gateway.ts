// The API as a server over a backend: wiring only.
import type { AddressInfo } from 'node:net';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createAttempts } from './attempts.ts';
import type { Backend } from './backend.ts';
import { osUserName } from './caller.ts';
import { createChecks, isLoopback } from './checks.ts';
import { createCommandBoard } from './command-board.ts';
import { cookieName, createCredentials } from './credentials.ts';
import { createHttpApp } from './http-app.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from './limits.ts';
import type { Log } from './log.ts';
import { createLogins } from './logins.ts';
import { createOnce } from './once.ts';
import { openApiRoute } from './openapi.ts';
import type { Reply } from './reply.ts';
import { isOpenRoute, type Route } from './route.ts';
import { agentRoutes } from './routes/agents.ts';
import { askRoutes } from './routes/asks.ts';
import { commandRoute } from './routes/commands.ts';
import { drivingRoutes } from './routes/driving.ts';
import { healthRoute } from './routes/health.ts';
import { launchRoutes } from './routes/launches.ts';
import { loginPath, loginRoutes } from './routes/login.ts';
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
import { createTickets } from './tickets.ts';

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
	/** Writes what `/metrics` answers. */
	metrics?: (own: GatewayFigures) => string;
	limits?: Partial<GatewayLimits>;
};

export type GatewayFigures = { clients: number; lag: Lag };

export async function startGateway(deps: GatewayDeps): Promise<Result<Gateway>> {
	const fault = findFault(deps);
	if (fault) return err(fault);
	const { backend, host, newId, log = () => {} } = deps;
	const limits = { ...DEFAULT_LIMITS, ...deps.limits };
	const { routes, guards, logins, tickets } = wireRoutes(deps, limits, { port: () => port, sockets: () => sockets });
	const checks = createChecks({
		host,
		userName: osUserName(),
		onWrongToken: deps.onWrongToken,
		isOpen: (method, path) => isOpenRoute(routes, method, path),
		...guards,
	});
	const http = createHttpApp({ routes, checks, limits, newId, log });
	const sockets = createSockets({ backend, checks, logins, limits, newId, log });
	sockets.serve(http.app.server);
	let port = 0;
	let closing: Promise<void> | undefined;

	function close(): Promise<void> {
		closing ??= sockets.close().then(() => {
			logins[Symbol.dispose]();
			return http.app.close();
		});
		return closing;
	}

	try {
		await http.app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port: deps.port });
	} catch (cause) {
		await close();
		return err(
			new AppError('cannot_start', `Port ${deps.port} on ${host} cannot be opened: choose another with ROOST_PORT.`, { cause }),
		);
	}
	port = portOf(http.app.server.address()) ?? deps.port;
	const url = `http://${host === '::1' ? '[::1]' : host}:${port}`;
	const link = () => {
		const { ticket, expiresAt } = tickets.issue();
		return { url: `${url}${loginPath(ticket)}`, expiresAt };
	};
	const { clients, watching } = sockets;
	return ok({ url, port, routes: http.routes, clients, watching, link, close, [Symbol.asyncDispose]: close });
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

/** What is known only when it listens. */
type Late = { port: () => number; sockets: () => Sockets };

function wireRoutes({ backend, token, now, metrics }: GatewayDeps, limits: GatewayLimits, late: Late) {
	const logins = createLogins({ now, loginMs: limits.loginMs });
	const attempts = createAttempts({ now, perMinute: limits.wrongPerMinute });
	const tickets = createTickets({ now, lifeMs: limits.ticketMs });
	const once = createOnce<Reply>(limits.keptResults);
	const board = createCommandBoard(now);
	const described: Route[] = [
		healthRoute(),
		...loginRoutes({ tickets, logins, attempts, cookie: () => cookieName(late.port()), loginMs: limits.loginMs }),
		...pageRoutes(),
		overviewRoute(backend, () => late.sockets().watching()),
		metricsRoute(() => metrics?.({ clients: late.sockets().clients(), lag: late.sockets().lag() }) ?? ''),
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
	return { routes, guards: { credentials: createCredentials({ token, logins }), attempts }, logins, tickets };
}
