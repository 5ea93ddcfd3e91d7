// A hub: its storage, its people, the runners that dial in, and the API over all of them. Wiring only.
import { randomUUID } from 'node:crypto';
import { createAttempts } from '@roost/gateway/access/attempts';
import type { Caller, Credential } from '@roost/gateway/access/caller';
import { createPeers } from '@roost/gateway/access/peers';
import { createCredentials } from '@roost/gateway/access/secrets';
import { type ApiServer, startApiServer } from '@roost/gateway/api-server';
import { errorReply } from '@roost/gateway/http/errors';
import { DEFAULT_LIMITS, type GatewayLimits } from '@roost/gateway/http/limits';
import { createThrottledLog, type Log } from '@roost/gateway/http/log';
import { writeRawReply } from '@roost/gateway/http/reply';
import type { Certificate } from '@roost/gateway/http-app';
import type { Door } from '@roost/gateway/stream-sockets';
import { VERSION } from '@roost/home/version';
import { realTimers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import type { Role } from '@roost/protocol/contract/operation';
import { LINK_PATH } from '@roost/protocol/hub/link-frames';
import type { PersonRole } from '@roost/protocol/hub/people';
import type { AskId, RunnerId, SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { createHubApi } from './api/hub-api.ts';
import { createServedRunners } from './api/served-runners.ts';
import type { Bus } from './bus/bus.ts';
import { createLocalNetwork } from './bus/local-bus.ts';
import { createDeliveries } from './commands/deliveries.ts';
import { createHubMetrics } from './metrics.ts';
import { openNode } from './nodes/open-node.ts';
import type { NotifyConfig } from './notify/config.ts';
import { openNotify } from './notify/open-notify.ts';
import { openIdentity } from './people/identity.ts';
import { createPairingCodes, type IssuedCode } from './people/pairing-codes.ts';
import { loadPeople, type People } from './people/people.ts';
import { mayCommand, toApiRoles } from './people/roles.ts';
import { createSealedLogins } from './people/sealed-secrets.ts';
import { type KnownRunner, loadRunners } from './runners/known-runners.ts';
import { createLanes } from './runners/lanes.ts';
import { createLinkServer, type LinkLimits } from './runners/link-server.ts';
import { createIndexer } from './search/indexer.ts';
import type { HubStore } from './store/hub-store.ts';
import { createChannels } from './terminals/channels.ts';

export type Hub = AsyncDisposable & {
	readonly url: string;
	readonly port: number;
	readonly id: string;
	/** Of the API. */
	routes: ApiServer['routes'];
	/** A code for the first person, who is an admin. */
	invite(): Promise<Result<IssuedCode>>;
	/** Whether any runner was paired. */
	hasRunners(): boolean;
	/** Runners reconnect elsewhere within this time. */
	goAway(afterMs: number): void;
};

export type HubDeps = {
	store: HubStore;
	name: string;
	host: string;
	port: number;
	/** Other addresses at which it is reached, each `https://host[:port]`. */
	origins: readonly string[];
	tls?: Certificate | undefined;
	/** Opens the API on this machine for an admin. */
	token: string;
	/** The first person. */
	firstUser: string;
	/** The bus between the nodes of this hub, which it closes; without it, the hub has one node. */
	joinNodes?: ((hub: string) => Result<Bus>) | undefined;
	notify?: NotifyConfig | undefined;
	now: () => number;
	log: Log;
	limits?: Partial<GatewayLimits & LinkLimits & HubLimits>;
	pageFolder?: string | undefined;
};

const LIMITS = {
	/** How often the database is read for what other nodes changed: a revocation holds everywhere within two seconds. */
	sweepMs: 1_500,
	/** How long a caller waits for the outcome of a command. */
	waitMs: 20_000,
	/** Batches that are stored at once. */
	lanes: 4,
	/** How long a runner may take to reply to a read. */
	requestMs: 30_000,
};
export type HubLimits = typeof LIMITS;

/** Closes what it opened, and the store, which it owns. */
export async function openHub(deps: HubDeps): Promise<Result<Hub>> {
	await using stack = new AsyncDisposableStack();
	const { now } = deps;
	const { log } = stack.use(createThrottledLog(deps.log));
	const metrics = createHubMetrics({ name: deps.name, version: VERSION }, now);
	const store = metrics.watchStore(stack.use(deps.store));
	const limits = { ...LIMITS, ...DEFAULT_LIMITS, ...deps.limits };
	const warn = (msg: string) => log({ level: 'warn', msg });
	const hub = await openIdentity(store, deps.name);
	if (!hub.ok) return hub;
	const loaded = await loadPeople({ store: store.people, sweepMs: limits.sweepMs, warn });
	if (!loaded.ok) return loaded;
	const people = stack.use(loaded.value);
	const joined = deps.joinNodes?.(hub.value.id) ?? ok(createLocalNetwork().join());
	if (!joined.ok) return joined;
	const bus = stack.use(joined.value);
	const node = randomUUID();
	const known = await loadRunners({ store, bus, node, requestMs: limits.requestMs, warn });
	if (!known.ok) return known;
	const runners = known.value;
	const deliveries = stack.use(createDeliveries({ ...limits, commands: store.commands, runners, bus, now, warn }));
	const indexer = stack.use(createIndexer({ words: store.words, timers: realTimers, log }));
	const logPresence = (runner: KnownRunner) =>
		log({ level: 'info', msg: runner.isOnline ? 'a runner connected' : 'a runner left', runner: runner.id });
	const notify = stack.use(
		openNotify({
			config: deps.notify ?? { webhooks: [], runners: {} },
			rows: store.rows,
			isWatched: (runner) => server.watching(runner) > 0,
			linkTo: ({ runner, session, ask }) => linkTo(deps.origins[0] ?? server.url, { runner, session, ask }),
			timers: realTimers,
			now,
			log,
		}),
	);
	const links = stack.use(
		createLinkServer({
			hub: hub.value,
			runners,
			store,
			lanes: metrics.watchLanes(createLanes(limits.lanes)),
			onConnected(runner) {
				indexer.follow(runner);
				void deliveries.resume(runner);
			},
			onPresence(runner) {
				logPresence(runner);
				own.linkChanged(runner);
			},
			onTaken: notify.take,
			settle: deliveries.settle,
			now,
			newId: randomUUID,
			log,
			limits,
		}),
	);
	const access = createAccess(people, (id) => runners.find(id)?.row.owner);
	const mayOpen = (caller: Caller, runner: RunnerId) => access.mayCall(caller, runner, 'own');
	const channels = stack.use(createChannels({ hub: hub.value, bus, mayOpen }));
	function dismiss(id: RunnerId): void {
		links.dismiss(id);
		channels.dismiss(id);
	}
	const own = stack.use(
		openNode({
			...{ node, bus, store, runners, deliveries, now, warn },
			links: { dismiss, replaced: links.replaced },
			sweepMs: limits.sweepMs,
			onPresence: logPresence,
			onPeople: () => void people.refresh(),
		}),
	);
	for (const runner of runners.list()) indexer.follow(runner);
	const codes = createPairingCodes({ store: store.people, hubKey: hub.value.identity.publicKey, now });
	const logins = createSealedLogins({ secret: hub.value.secret, now, lifeMs: limits.bearerMs });
	people.onLess(logins.end);
	const attempts = createAttempts({ now, perMinute: limits.wrongPerMinute });
	const api = createHubApi({
		...deps,
		hub: hub.value,
		store,
		people,
		runners,
		codes,
		logins,
		attempts,
		callerFor: access.callerFor,
		async metrics() {
			const open = await store.commands.countOpen();
			if (!open.ok) return open;
			const figures = { clients: server.clients(), lag: server.lag(), links: links.connected() };
			return ok(metrics.write({ ...figures, runners: runners.list(), commandsOpen: open.value }));
		},
		async onRunnerChanged(id) {
			const refreshed = await runners.refresh(id);
			// Afterwards: one that registers at the same time either sees the revocation, or is dismissed here.
			if (refreshed.ok && refreshed.value?.row.revokedAt !== null) dismiss(id);
			own.runnerChanged(id);
			return refreshed;
		},
		onPeopleChanged: own.peopleChanged,
		limits,
	});
	const started = await startApiServer({
		...deps,
		api,
		findRunner: createServedRunners({ runners, store, deliveries, channels, ...access, now, newId: randomUUID }),
		access: {
			origins: deps.origins,
			userName: deps.firstUser,
			rolesOf: access.rootRoles,
			attempts,
			credentials: createCredentials({ token: deps.token, logins, devices: { find: people.device } }),
		},
		peers: createPeers(undefined),
		logins,
		limits,
		newId: randomUUID,
		otherPort: 'Choose another port with "roost hub --port <n>".',
		findDoor(path) {
			const door = path === LINK_PATH ? links.door : channels.findDoor(path);
			return door && forRunners(door);
		},
	});
	if (!started.ok) return started;
	const server = stack.use(started.value);
	const owned = stack.move();
	return ok({
		url: server.url,
		port: server.port,
		id: hub.value.id,
		routes: server.routes,
		invite: () =>
			codes.issue({
				user: deps.firstUser,
				grants: [{ runner: null, role: 'admin' }],
				by: { name: deps.firstUser, face: 'hub' },
			}),
		hasRunners: () => runners.list().length > 0,
		goAway: links.goAway,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	});
}

/** A page has no business there: it would send an Origin. */
function forRunners(door: Door): Door {
	return (request, socket, head) => {
		if (request.headers.origin === undefined) door(request, socket, head);
		else writeRawReply(socket, errorReply(new AppError('denied', 'Only runners connect here.')));
	};
}

/** The place of a request or a session in the page. */
function linkTo(hub: string, { runner, session, ask }: { runner: RunnerId; session: SessionId; ask: AskId | undefined }): string {
	const path = `/r/${encodeURIComponent(runner)}/s/${encodeURIComponent(session)}`;
	return `${hub}${path}${ask === undefined ? '' : `?ask=${encodeURIComponent(ask)}`}`;
}

/** What callers may do, by the roles of their person. */
function createAccess(people: Pick<People, 'rolesOf'>, ownerOf: (id: RunnerId) => string | undefined) {
	/** The token of the hub's own machine is an admin, and like one it has no power over a runner. */
	function heldBy(caller: Pick<Caller, 'principal'> & Credential, runner: RunnerId): ReadonlySet<PersonRole> {
		if (caller.via === 'token') return new Set(['admin']);
		if (caller.via === 'nobody') return new Set();
		const { name } = caller.principal;
		const held = people.rolesOf(name, runner);
		return ownerOf(runner) === name ? new Set([...held, 'owner']) : held;
	}

	return {
		rootRoles(credential: Credential): readonly Role[] {
			if (credential.via === 'token') return ['view', 'admin'];
			if (credential.via !== 'device' || credential.user === undefined) return [];
			return people.rolesOf(credential.user).has('admin') ? ['view', 'admin'] : ['view'];
		},
		callerFor: (caller: Caller, runner: RunnerId): Caller => ({ ...caller, roles: toApiRoles(heldBy(caller, runner)) }),
		mayCall: (caller: Caller, runner: RunnerId, kind: Parameters<typeof mayCommand>[1]) =>
			mayCommand(heldBy(caller, runner), kind),
	};
}
