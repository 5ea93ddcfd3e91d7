// Two real nodes of one hub over real Postgres and NATS: the runner dials through a proxy, which sends it to either node, and people
// are connected to the second one.
import { connectThroughHub } from '@roost/cli/hub/connect-hub';
import { readCliDevice, writeCliDevice } from '@roost/home/hub/pairing';
import type { Seeded } from '../seeded.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { type ChaosProxy, startChaosProxy } from './chaos-proxy.ts';
import { type HubServers, startHubServers } from './hub-nodes.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';
import { type HubWorld, openHubWorld } from './hub-world.ts';

export type TwoNodeWorld = AsyncDisposable & {
	readonly world: HubWorld;
	readonly servers: HubServers;
	readonly nodes: readonly [HubProcess, HubProcess];
	/** Between the runner and the nodes. */
	readonly proxy: ChaosProxy;
	/** The runner loses its connection and gets one to the other node. */
	move(): void;
};

/** `natsIsAbsent`: it is started by the test. */
export async function openTwoNodeWorld(random: Seeded, { natsIsAbsent = false } = {}): Promise<TwoNodeWorld> {
	await using stack = new AsyncDisposableStack();
	const servers = stack.use(await startHubServers());
	if (natsIsAbsent) await servers.nats.kill();
	const database = await servers.postgres.createDatabase();
	const proxy = stack.use(await startChaosProxy(0, random));
	const through = `http://127.0.0.1:${proxy.port}`;
	// Its address is one of those that the hub serves.
	const config = { hub: { database, nats: servers.nats.url, urls: [through] } };
	const nodes = [stack.use(await startHubProcess({ config })), stack.use(await startHubProcess({ config }))] as const;
	const ports = nodes.map(({ url }) => Number(new URL(url).port));
	proxy.toPort = ports[0] ?? 0;
	const world = stack.use(
		await openHubWorld({
			hub: nodes[0],
			runnerConfig: { hub: { url: through } },
			async afterPairing({ home, env }) {
				const device = unwrap(readCliDevice({ data: home }));
				if (!device) throw new Error('the machine of the runner has no device');
				unwrap(writeCliDevice({ data: home }, { ...device, url: nodes[1].url }));
				await isKnown(nodes[1].url, env);
				return nodes[1].url;
			},
			async readLines(runner, epoch) {
				const which = epoch === undefined ? 'ended_at IS NULL' : `epoch = ${epoch}`;
				const from = 'lines JOIN logs USING (log_no) JOIN runners USING (runner_no)';
				const rows = await servers.postgres.query(
					database,
					`SELECT line FROM ${from} WHERE id = '${runner}' AND ${which} ORDER BY seq`,
				);
				return rows.map(({ line }) => String(line));
			},
		}),
	);
	const owned = stack.move();
	return {
		world,
		servers,
		nodes,
		proxy,
		move() {
			proxy.toPort = ports.find((port) => port !== proxy.toPort) ?? proxy.toPort;
			proxy.cut('reset');
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Without NATS, a node learns by its next sweep of a device and a runner that were paired at another one. */
async function isKnown(url: string, env: NodeJS.ProcessEnv): Promise<void> {
	const reach = async () => (await connectThroughHub({ hub: url, runner: undefined }, 'cli', env)).ok || undefined;
	await waitFor(reach, { what: 'the other node to know the device and the runner', everyMs: 100 });
}
