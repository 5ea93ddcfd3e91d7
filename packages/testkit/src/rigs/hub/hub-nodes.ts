// Nodes of one hub in this process, over real Postgres and real NATS.
import { openNatsBus } from '@roost/hub/bus/nats-bus';
import { runnerId } from '@roost/protocol/ids';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { createFaultyBus, type Faults } from './faulty-bus.ts';
import { type HubNodeOptions, type HubNodeRig, startHubNode } from './hub-node.ts';
import { type NatsRig, startNats } from './nats.ts';
import { type PostgresRig, startPostgres } from './postgres.ts';
import { logOf, sampleRunner } from './sample-log.ts';
import { connectRunner, RUNNER_KEY, type ScriptedRunner } from './scripted-runner.ts';

export type HubServers = AsyncDisposable & { readonly postgres: PostgresRig; readonly nats: NatsRig };

export async function startHubServers(): Promise<HubServers> {
	await using stack = new AsyncDisposableStack();
	const [postgres, nats] = [stack.use(await startPostgres()), stack.use(await startNats())];
	const owned = stack.move();
	return { postgres, nats, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export type HubNodesRig = AsyncDisposable & {
	readonly a: HubNodeRig;
	readonly b: HubNodeRig;
	/** For both. */
	setFaults(faults: Faults): void;
	start(name: string): Promise<HubNodeRig>;
	/** Ended with the nodes. Without faults every node knows of it. */
	connect(to: HubNodeRig, options?: Parameters<typeof connectRunner>[1]): Promise<ScriptedRunner>;
};

/** Two nodes with one paired runner; more can be started. */
export async function startHubNodes(servers: HubServers, options: Partial<HubNodeOptions> = {}): Promise<HubNodesRig> {
	await using stack = new AsyncDisposableStack();
	const url = await servers.postgres.createDatabase();
	const prefix = new URL(url).pathname.slice(1);
	const nodes: HubNodeRig[] = [];
	let open: AsyncDisposableStack = stack;

	async function start(name: string): Promise<HubNodeRig> {
		const bus = createFaultyBus(unwrap(openNatsBus({ url: servers.nats.url, prefix, warn: () => undefined })));
		await waitFor(() => bus.isConnected() || undefined, { what: 'the connection to NATS' });
		const node = open.use(await startHubNode({ url, bus, name, sweepMs: 60_000, ...options }));
		for (const other of nodes) await isHeard(other, node);
		nodes.push(node);
		return node;
	}

	const a = await start('a');
	unwrap(await a.store.runners.pair(sampleRunner('runner-1', RUNNER_KEY.publicKey)));
	unwrap(await a.store.logs.openEpoch(logOf('runner-1'), 'the log began', 1));
	a.node.runnerChanged(runnerId.parse('runner-1'));
	const b = await start('b');
	open = stack.move();
	return {
		a,
		b,
		start,
		setFaults(faults) {
			for (const { bus } of nodes) bus.faults = faults;
		},
		async connect(to, options) {
			const runner = open.use(await connectRunner(to.url, options));
			// A node may learn of the runner only by this connection.
			const isOn = ({ known }: HubNodeRig) => known('runner-1')?.isOnline && known('runner-1')?.links === to.runner().links;
			const isKnown = () => nodes.every(isOn);
			if (nodes.every(({ bus }) => bus.faults === 'none')) await waitFor(() => isKnown() || undefined, { what: 'the presence' });
			return runner;
		},
		[Symbol.asyncDispose]: () => open.disposeAsync(),
	};
}

/** What the second subscribed to is known to NATS: messages of one connection arrive in order. */
export async function isHeard(one: HubNodeRig, other: HubNodeRig): Promise<void> {
	const end = other.bus.serve('heard', async () => 'yes');
	await waitFor(async () => (await one.bus.request('heard', '', 1_000)).ok || undefined, { what: 'the subscriptions' });
	end();
}
