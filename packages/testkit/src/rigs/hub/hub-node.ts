// One node of a hub over a real store and bus: its runners, commands and presence, without people and the API.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDeliveries, type Deliveries } from '@roost/hub/commands/deliveries';
import { type HubNode, openNode } from '@roost/hub/nodes/open-node';
import type { HubSigner } from '@roost/hub/runners/handshake';
import { type KnownRunner, loadRunners } from '@roost/hub/runners/known-runners';
import { createLanes } from '@roost/hub/runners/lanes';
import { createLinkServer, type LinkLimits } from '@roost/hub/runners/link-server';
import type { HubStore } from '@roost/hub/store/hub-store';
import { openPostgresHubStore } from '@roost/hub/store/postgres-hub-store';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import { hubId, hubIdentity } from '@roost/protocol/hub/pairing';
import { runnerId } from '@roost/protocol/ids';
import { unwrap } from '../unwrap.ts';
import type { FaultyBus } from './faulty-bus.ts';

export type HubNodeRig = AsyncDisposable & {
	readonly url: string;
	readonly store: HubStore;
	readonly bus: FaultyBus;
	readonly deliveries: Deliveries;
	readonly node: HubNode;
	readonly now: () => number;
	/** Where runners came or went. */
	readonly presence: readonly string[];
	/** How often people of another node changed. */
	people(): number;
	runner(id?: string): KnownRunner;
	known(id: string): KnownRunner | undefined;
	listed(): string[];
};

export type HubNodeOptions = Omit<NodeOverOptions, 'store'> & {
	/** Of the database. */
	url: string;
};

export type NodeOverOptions = {
	/** Closed with the node. */
	store: HubStore;
	bus: FaultyBus;
	name: string;
	sweepMs: number;
	waitMs?: number;
	limits?: Partial<LinkLimits>;
	now?: () => number;
};

const KEY = createSigningKey();
export const HUB: HubSigner = { id: hubId.parse('testhub0testhub0'), sign: (text) => signText(KEY, text) };
export const HUB_IDENTITY = hubIdentity.parse({ id: HUB.id, name: 'test hub', publicKey: KEY.publicKey });

export async function startHubNode({ url, ...options }: HubNodeOptions): Promise<HubNodeRig> {
	return await startNodeOver({ ...options, store: unwrap(await openPostgresHubStore({ url })) });
}

export async function startNodeOver({ bus, name, sweepMs, waitMs = 60_000, ...options }: NodeOverOptions): Promise<HubNodeRig> {
	await using stack = new AsyncDisposableStack();
	const store = stack.use(options.store);
	stack.use(bus);
	const warn = () => undefined;
	const runners = unwrap(await loadRunners({ store, bus, node: name, warn }));
	const deps = { store, bus, runners, node: name, now: options.now ?? Date.now, sweepMs, warn };
	const deliveries = stack.use(createDeliveries({ ...deps, commands: store.commands, waitMs }));
	const presence: string[] = [];
	const note = ({ id, isOnline }: KnownRunner) => presence.push(`${id} ${isOnline ? 'on' : 'off'}`);
	let people = 0;
	const onPeople = () => {
		people += 1;
	};
	let ids = 0;
	const links = stack.use(
		createLinkServer({
			...deps,
			hub: HUB,
			lanes: createLanes(4),
			onConnected: (runner) => void deliveries.resume(runner),
			onPresence(runner) {
				note(runner);
				node.linkChanged(runner);
			},
			settle: deliveries.settle,
			newId: () => `${name}-${ids++}`,
			log: () => undefined,
			...(options.limits ? { limits: options.limits } : {}),
		}),
	);
	const node = stack.use(openNode({ ...deps, links, deliveries, onPresence: note, onPeople }));
	const http = createServer().on('upgrade', links.door);
	await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
	stack.defer(() => void http.close());
	const owned = stack.move();
	return {
		url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws/runner`,
		store,
		bus,
		deliveries,
		node,
		now: deps.now,
		presence,
		people: () => people,
		runner: (id = 'runner-1') => runners.find(id) ?? unknown(id),
		known: (id) => runners.known(runnerId.parse(id)),
		listed: () => runners.list().map(({ id }) => id),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function unknown(id: string): never {
	throw new Error(`the runner ${id} is not known to this node`);
}
