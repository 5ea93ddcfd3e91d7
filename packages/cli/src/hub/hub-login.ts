// The login of this machine's command line at its hub: its device key signs a challenge for a bearer of minutes.
import { createClientOf } from '@roost/client/client-of';
import { resolveHome } from '@roost/home/home';
import { type CliDevice, readCliDevice } from '@roost/home/hub/pairing';
import { signText } from '@roost/machine/signing-key';
import { steadyNow } from '@roost/machine/timers';
import { programOrigin } from '@roost/protocol/api/devices';
import { toSignedText } from '@roost/protocol/api/signed-text';
import { AppError } from '@roost/protocol/app-error';
import { login } from '@roost/protocol/contract/access';
import { err, ok, type Result } from '@roost/protocol/result';
import { nodeFetch } from '../transport/node-transport.ts';

export type HubLogin = {
	readonly device: CliDevice;
	/** Renewed before it ends; throws what the hub refused. */
	bearer(): Promise<string>;
};

export const HUB_IS_DOWN = 'Check the address, and that the hub runs.';

/** It lives for five minutes by the clock of the hub, which may be another one. */
const RENEWED_AFTER_MS = 4 * 60_000;

export function openHubLogin(hub: string, env: NodeJS.ProcessEnv): Result<HubLogin> {
	const device = readDevice(hub, env);
	if (!device.ok) return device;
	let current: { bearer: string; since: number } | undefined;
	return ok({
		device: device.value,
		async bearer() {
			const since = steadyNow();
			if (current === undefined || since - current.since > RENEWED_AFTER_MS)
				current = { bearer: await logIn(device.value), since };
			return current.bearer;
		},
	});
}

/** `hub`: as the user typed it. */
function readDevice(hub: string, env: NodeJS.ProcessEnv): Result<CliDevice> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const wanted = URL.parse(hub)?.origin ?? '';
	if (!/^https?:/.test(wanted))
		return err(new AppError('usage', `--hub is "${hub}"; it must be an address such as https://hub.example.com.`));
	const device = readCliDevice(home.value);
	if (!device.ok) return device;
	if (device.value && new URL(device.value.url).origin === wanted) return ok(device.value);
	const other = device.value ? `, but with ${device.value.url}` : '';
	const next = 'Run "roost join <link>" with a link of that hub.';
	return err(new AppError('usage', `This machine is not paired with ${wanted}${other}. ${next}`));
}

async function logIn({ url, id, key, hub }: CliDevice): Promise<string> {
	const api = createClientOf({ login }, { baseUrl: url, token: '', face: 'cli', fetch: nodeFetch, ifDown: HUB_IS_DOWN });
	const issued = await api.login.challenge({ deviceId: id });
	if (!issued.ok) throw toLoginError(issued.error, url);
	const { challenge } = issued.value;
	const signature = signText(key, toSignedText({ purpose: 'login', origin: programOrigin(hub), subject: id, challenge }));
	const answered = await api.login.bearer({ deviceId: id, challenge, signature });
	if (!answered.ok) throw answered.error;
	return answered.value.bearer;
}

/** A hub answers about an unknown device as to a page without an origin. */
function toLoginError(error: AppError, url: string): AppError {
	if (error.code !== 'unauthorized' && error.code !== 'denied') return error;
	const problem = `The hub at ${url} does not know this device, or it was revoked`;
	return new AppError('unauthorized', `${problem}. Run "roost join <link>" with a new link.`);
}
