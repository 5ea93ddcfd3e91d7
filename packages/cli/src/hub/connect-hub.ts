// A connection to one of the runners behind a hub, for one command: the same as to the own runner.
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import { createClientOf } from '@roost/client/client-of';
import { createStreamClient } from '@roost/client/stream-client';
import { realTimers, steadyNow } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { API } from '@roost/protocol/contract/api-path';
import { hub } from '@roost/protocol/contract/hub';
import { toRunnerPath } from '@roost/protocol/contract/of-runner';
import { runners } from '@roost/protocol/contract/runners';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Connected } from '../transport/connected.ts';
import { nodeFetch, openNodeSocketLater, openNodeTerminalSocketLater } from '../transport/node-transport.ts';
import { openHubLogin } from './hub-login.ts';
import { createSealedTerminals } from './sealed-terminals.ts';
import { openSigner } from './sign-commands.ts';
import type { Target } from './target.ts';

/** A hub is further away than a runner on this machine. */
const FAR_AWAY = { initialDelayMs: 500, maxDelayMs: 10_000, multiplier: 2 } as const;

const OWN = { hub, runners };

export type HubClient = ReturnType<typeof createClientOf<typeof OWN>>;

/** The operations of the hub itself. */
export function connectToHub(url: string, env: NodeJS.ProcessEnv, face = 'cli'): Result<HubClient> {
	const login = openHubLogin(url, env);
	if (!login.ok) return login;
	const { device, bearer } = login.value;
	return ok(createClientOf(OWN, { baseUrl: device.url, token: bearer, face, fetch: nodeFetch }));
}

export async function connectThroughHub(target: Target, face: string, env: NodeJS.ProcessEnv): Promise<Result<Connected>> {
	const login = openHubLogin(target.hub, env);
	if (!login.ok) return login;
	const { device, bearer } = login.value;
	const deps = { baseUrl: device.url, token: bearer, face, fetch: nodeFetch };
	const listed = await createClientOf(OWN, deps).runners.list();
	if (!listed.ok) return listed;
	const picked = pickRunner(listed.value, target.runner);
	if (!picked.ok) return picked;
	const runner = picked.value.id;
	const base = new URL(device.url).origin.replace(/^http/, 'ws') + toRunnerPath(API, encodeURIComponent(runner));
	const signer = openSigner(device);
	const api: ApiClient = createApiClient({ ...deps, runner, seal: (command) => signer.seal(runner, command) });
	return ok({
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
		openTerminalSocket: createSealedTerminals({
			...{ device, signer, env },
			runner: picked.value,
			open: (id) => openNodeTerminalSocketLater(`${base}/terminals/${id}`, { token: bearer, face }),
		}),
	});
}

/** By name, or by its id or the beginning of it; without a name the only one. */
function pickRunner(rows: readonly RunnerRow[], wanted: string | undefined): Result<RunnerRow> {
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
