// A connection to one of the runners behind a hub, for one command: the same as to the own runner.
import { createApiClient } from '@roost/client/api-client';
import { createClientOf } from '@roost/client/client-of';
import { createStreamClient } from '@roost/client/stream-client';
import { realTimers, steadyNow } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { API } from '@roost/protocol/contract/api-path';
import { hub } from '@roost/protocol/contract/hub';
import { toRunnerPath } from '@roost/protocol/contract/of-runner';
import { runners } from '@roost/protocol/contract/runners';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Connected } from '../transport/connected.ts';
import { nodeFetch, openNodeSocketLater, openNodeTerminalSocketLater } from '../transport/node-transport.ts';
import { HUB_IS_DOWN, openHubLogin } from './hub-login.ts';
import { createSealedTerminals } from './sealed-terminals.ts';
import { openSigner } from './sign-commands.ts';
import type { Target } from './target.ts';

/** A hub is further away than a runner on this machine. */
const FAR_AWAY = { initialDelayMs: 500, maxDelayMs: 10_000, multiplier: 2 } as const;

const OWN = { hub, runners };

export type HubClient = ReturnType<typeof createClientOf<typeof OWN>>;

/** One login at a hub: for its own operations, and for each of its runners. */
export type HubConnection = { readonly client: HubClient; to(runner: RunnerId): Connected };

export function openHubConnection(url: string, face: string, env: NodeJS.ProcessEnv): Result<HubConnection> {
	const login = openHubLogin(url, env);
	if (!login.ok) return login;
	const { device, bearer } = login.value;
	const deps = { baseUrl: device.url, token: bearer, face, fetch: nodeFetch, ifDown: HUB_IS_DOWN };
	const signer = openSigner(device);
	const client = createClientOf(OWN, deps);
	/** As they were listed last: a terminal needs the key of its runner. */
	const known = new Map<RunnerId, RunnerRow>();

	async function list(): ReturnType<HubClient['runners']['list']> {
		const listed = await client.runners.list();
		if (listed.ok) for (const row of listed.value) known.set(row.id, row);
		return listed;
	}

	return ok({
		client: { ...client, runners: { list } },
		to(runner) {
			const base = new URL(device.url).origin.replace(/^http/, 'ws') + toRunnerPath(API, encodeURIComponent(runner));
			const api = createApiClient({ ...deps, runner, prepare: signer.prepareFor(runner) });
			return {
				baseUrl: () => device.url,
				api,
				toShown: signer.toShown,
				openStream: () => ({
					...createStreamClient({
						openSocket: () => openNodeSocketLater(`${base}/stream`, { token: bearer, face }),
						now: steadyNow,
						random: Math.random,
						newId: () => crypto.randomUUID(),
						backoff: FAR_AWAY,
						timers: realTimers,
					}),
					// A frame has no place for a signature.
					approve: api.asks.approve,
					answer: api.asks.answer,
				}),
				openTerminalSocket: (id) =>
					createSealedTerminals({
						...{ device, signer, env },
						runner: known.get(runner) ?? { id: runner, name: runner },
						open: (terminal) => openNodeTerminalSocketLater(`${base}/terminals/${terminal}`, { token: bearer, face }),
					})(id),
			};
		},
	});
}

/** The operations of the hub itself. */
export function connectToHub(url: string, env: NodeJS.ProcessEnv, face = 'cli'): Result<HubClient> {
	const opened = openHubConnection(url, face, env);
	return opened.ok ? ok(opened.value.client) : opened;
}

export async function connectThroughHub(target: Target, face: string, env: NodeJS.ProcessEnv): Promise<Result<Connected>> {
	const opened = openHubConnection(target.hub, face, env);
	if (!opened.ok) return opened;
	const listed = await opened.value.client.runners.list();
	if (!listed.ok) return listed;
	const picked = pickRunner(listed.value, target.runner);
	return picked.ok ? ok(opened.value.to(picked.value.id)) : picked;
}

/** By name, or by its id or the beginning of it; without a name the only one. */
export function pickRunner(rows: readonly RunnerRow[], wanted: string | undefined): Result<RunnerRow> {
	const names = rows.map(({ name, id }) => `${name} (${id})`).join(', ');
	if (rows.length === 0)
		return err(new AppError('not_found', 'No runner is paired with this hub for you. Run "roost join <link>".'));
	const fits = ({ name, id }: RunnerRow) => wanted === undefined || name === wanted || id === wanted;
	const exact = rows.filter(fits);
	const found = exact.length > 0 ? exact : rows.filter(({ id }) => wanted !== undefined && id.startsWith(wanted));
	const [only] = found;
	if (found.length === 1 && only) return ok(only);
	if (wanted === undefined) return err(new AppError('usage', `Choose a runner with --runner: ${names}.`));
	const problem = found.length === 0 ? `Runner "${wanted}" not found` : `Several runners are called "${wanted}"`;
	return err(new AppError('not_found', `${problem}. This hub has ${names}.`));
}
