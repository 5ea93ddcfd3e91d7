// The operations at the root of a hub's API: logins, devices, people, its list of runners, and itself.
import type { Attempts } from '@roost/gateway/access/attempts';
import type { Caller } from '@roost/gateway/access/caller';
import type { Logins } from '@roost/gateway/access/secrets';
import { toDeviceId } from '@roost/gateway/access/verify-signature';
import { loginHandlers } from '@roost/gateway/handlers/login';
import type { GatewayLimits } from '@roost/gateway/http/limits';
import { type Callable, createCallables } from '@roost/gateway/operations/api';
import type { DeviceBook } from '@roost/gateway/operations/backend';
import { createCommandProgress } from '@roost/gateway/operations/command-progress';
import { toOpenApi } from '@roost/gateway/operations/openapi';
import { VERSION } from '@roost/home/version';
import { devices, login, server } from '@roost/protocol/contract/access';
import { hub as hubOperations } from '@roost/protocol/contract/hub';
import { runners as runnerOperations } from '@roost/protocol/contract/runners';
import { deviceId, type RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { administerHandlers, hubDeviceHandlers } from '../people/administer.ts';
import type { HubOwnKey } from '../people/identity.ts';
import { joinHandler } from '../people/join.ts';
import type { PairingCodes } from '../people/pairing-codes.ts';
import type { People } from '../people/people.ts';
import { createSealedTickets } from '../people/sealed-secrets.ts';
import type { KnownRunners } from '../runners/known-runners.ts';
import type { HubStore } from '../store/hub-store.ts';
import { commandListHandlers } from './command-list.ts';
import { hubSearchHandlers } from './hub-search.ts';
import { inboxHandlers } from './inbox.ts';
import { runnerListHandlers } from './runner-list.ts';

export type HubApiDeps = {
	hub: HubOwnKey;
	store: HubStore;
	people: People;
	runners: KnownRunners;
	codes: PairingCodes;
	logins: Logins;
	attempts: Attempts;
	callerFor(caller: Caller, runner: RunnerId): Caller;
	/** It was paired or revoked. */
	onRunnerChanged(id: RunnerId): Promise<Result<unknown>>;
	/** Devices or grants were changed. */
	onPeopleChanged(): void;
	/** The reply of `/metrics`. */
	metrics(): Promise<Result<string>>;
	firstUser: string;
	now: () => number;
	limits: Pick<GatewayLimits, 'ticketMs'>;
};

const { ticket: _, ...logIn } = login;
const OPERATIONS = {
	login: logIn,
	// People see and revoke their own devices, admins all.
	devices: { ...devices, revoke: { ...devices.revoke, needs: 'view' as const } },
	// Figures of all runners are for admins.
	server: { health: server.health, openApi: server.openApi, metrics: { ...server.metrics, needs: 'admin' as const } },
	runners: runnerOperations,
	hub: hubOperations,
};

export function createHubApi(deps: HubApiDeps): Callable[] {
	const { hub, store, people, runners, codes, logins, attempts, callerFor, now, limits } = deps;
	/** Other nodes learn of each change. */
	const announced: People = {
		...people,
		async refresh() {
			deps.onPeopleChanged();
			return await people.refresh();
		},
	};
	const challenged = z.object({ device: deviceId, origin: z.string() });
	const challenges = createSealedTickets(challenged, { secret: hub.secret, now, lifeMs: limits.ticketMs });
	const handlers = {
		login: loginHandlers({
			devices: deviceBook({ ...deps, people: announced }),
			logins,
			attempts,
			challenges,
			async redeem(code) {
				const pairing = await codes.redeem(code);
				return pairing.ok ? ok(pairing.value && { by: { name: pairing.value.user, face: 'hub' } }) : pairing;
			},
		}),
		devices: hubDeviceHandlers({ ...deps, people: announced }),
		server: {
			health: () => ok({ ok: true, hub: { version: VERSION } }),
			openApi: () => ok(toOpenApi(VERSION)),
			metrics: deps.metrics,
		},
		runners: runnerListHandlers({ runners, rows: store.rows, callerFor }),
		hub: {
			join: joinHandler({ ...deps, people: announced }),
			...commandListHandlers({ commands: store.commands, callerFor, now }),
			...administerHandlers({ ...deps, people: announced, findRunner: (id) => runners.find(id)?.row }),
			...hubSearchHandlers({ runners, store, callerFor }),
			...inboxHandlers({ runners, rows: store.rows, callerFor }),
		},
	};
	return createCallables(OPERATIONS, handlers, { receipts: NO_RECEIPTS, progress: createCommandProgress(now) });
}

/** The operations of a hub itself have no command ids. */
const NO_RECEIPTS = { run: ({ work }: { work: () => Promise<Result<unknown>> }) => work() };

/** What a login needs of devices: those of pages are registered here, those of programs when they join. */
function deviceBook({ store, people, now }: HubApiDeps): DeviceBook {
	return {
		list: () => [...people.devices()],
		find: people.device,
		async register({ name, origin, publicKey }, by) {
			const id = toDeviceId(publicKey);
			const who = `${by.name}@${by.face}`;
			const noted = await store.audit.append({ at: now(), who, what: `registered the browser "${name}" (${id})` });
			if (!noted.ok) return noted;
			const device = { id, name, origin, publicKey, user: by.name, kind: 'page' as const, createdAt: now(), lastSeenAt: now() };
			const added = await store.people.addDevice(device);
			if (!added.ok) return added;
			const refreshed = await people.refresh();
			return refreshed.ok ? added : refreshed;
		},
		noteSeen() {},
		async revoke(id) {
			const revoked = await store.people.revokeDevice(id, now());
			return revoked.ok ? await people.refresh() : revoked;
		},
	};
}
