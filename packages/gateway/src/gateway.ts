// The API as a server over a backend: wiring only.
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import type { CallContext } from '@roost/protocol/contract/operation';
import { err, ok, type Result } from '@roost/protocol/result';
import { createAttempts } from './access/attempts.ts';
import { osUserName } from './access/caller.ts';
import { isLoopback } from './access/checks.ts';
import { createPeers, type JudgePeer } from './access/peers.ts';
import { createCredentials, createLogins, createTickets } from './access/secrets.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { feedHandlers } from './handlers/feed.ts';
import { type Challenged, deviceHandlers, linkPath, loginHandlers } from './handlers/login.ts';
import { pushHandlers } from './handlers/push.ts';
import { runnerHandlers } from './handlers/runners.ts';
import { serverHandlers } from './handlers/server.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import { type Callable, createApi } from './operations/api.ts';
import type { Backend } from './operations/backend.ts';
import { createCommandProgress } from './operations/command-progress.ts';
import type { ServedRunner } from './operations/served-runner.ts';
import type { Lag } from './stream-sockets.ts';

export type Gateway = Omit<ApiServer, 'lag'> & {
	/** Its operations by name, for calls that come another way. */
	readonly api: ReadonlyMap<string, Callable>;
	/** A link that logs a browser in, once, within seconds. */
	link(): { url: string; expiresAt: number };
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
	const { backend, token, origins = [] } = deps;
	const userName = osUserName();
	const limits = { ...DEFAULT_LIMITS, ...deps.limits };
	const { api, login } = wireApi(deps, limits, () => server);
	const { logins, attempts } = login;
	const credentials = createCredentials({ token, logins, devices: backend.deviceBook });
	const own: ServedRunner = { backend, api: new Map(api.map((one) => [one.name, one])), callerOf: (caller) => caller };
	const started = await startApiServer({
		...deps,
		api,
		root: own,
		findRunner: (id) => (id === backend.runner.id ? own : undefined),
		access: { origins, userName, onWrongToken: deps.onWrongToken, attempts, credentials },
		peers: createPeers(deps.judgePeer),
		logins,
		limits,
		otherPort: OTHER_PORT,
	});
	if (!started.ok) return started;
	const server = started.value;
	const link = () => {
		const { ticket, expiresAt } = login.links.issue({ by: { name: userName, face: 'runner' } });
		return { url: `${server.url}${linkPath(ticket)}`, expiresAt };
	};
	return ok({ ...server, api: own.api, link });
}

const OTHER_PORT = 'Choose another port with "roost up --port <n>", or set runner.port in config.yaml.';

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
	server: () => Pick<ApiServer, 'watching' | 'clients' | 'lag'>,
): { api: readonly Callable[]; login: ReturnType<typeof createLogin> } {
	const login = createLogin(backend, now, limits);
	const progress = createCommandProgress(now);
	const handlers = {
		...backend,
		feed: feedHandlers(backend),
		commands: { progress: ({ id }: { id: string }) => ok(progress.read(id)) },
		login: {
			...loginHandlers(login),
			ticket(_: unknown, { by }: CallContext) {
				const { ticket, expiresAt } = login.links.issue({ by });
				return ok({ ticket, path: linkPath(ticket), expiresAt, origins: [...origins] });
			},
		},
		devices: deviceHandlers({ ...login, push: backend.pushBook }),
		push: pushHandlers(backend.pushBook),
		runners: runnerHandlers(backend, Date.now()),
		server: serverHandlers({
			backend,
			watching: () => server().watching(),
			metrics: () => metrics?.({ clients: server().clients(), lag: server().lag() }) ?? '',
		}),
	};
	return { api: createApi(handlers, { receipts: backend.receipts, progress }), login };
}

function createLogin({ deviceBook: devices }: Backend, now: () => number, limits: GatewayLimits) {
	const shortLived = { now, lifeMs: limits.ticketMs };
	const links = createTickets<{ by: Principal }>(shortLived);
	return {
		devices,
		logins: createLogins({ now, bearerMs: limits.bearerMs }),
		attempts: createAttempts({ now, perMinute: limits.wrongPerMinute }),
		links,
		redeem: (ticket: string) => ok(links.redeem(ticket)),
		challenges: createTickets<Challenged>(shortLived),
	};
}
