// The login of this machine's command line at its hub: its device key signs a challenge for a bearer of minutes.
import { createClientOf } from '@roost/client/client-of';
import { resolveHome } from '@roost/home/home';
import { type CliDevice, readCliDevice } from '@roost/home/hub/pairing';
import { signText } from '@roost/machine/signing-key';
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

/** Renewed this long before its end, so that a request on its way is not late. */
const SPARE_MS = 60_000;

export function openHubLogin(hub: string, env: NodeJS.ProcessEnv): Result<HubLogin> {
	const device = readDevice(hub, env);
	if (!device.ok) return device;
	let current: { bearer: string; expiresAt: number } | undefined;
	return ok({
		device: device.value,
		async bearer() {
			if (current === undefined || current.expiresAt - SPARE_MS < Date.now()) current = await logIn(device.value);
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

async function logIn({ url, id, key, hub }: CliDevice): Promise<{ bearer: string; expiresAt: number }> {
	const api = createClientOf({ login }, { baseUrl: url, token: '', face: 'cli', fetch: nodeFetch });
	const issued = await api.login.challenge({ deviceId: id });
	if (!issued.ok) throw issued.error;
	const { challenge } = issued.value;
	const signature = signText(key, toSignedText({ purpose: 'login', origin: programOrigin(hub), subject: id, challenge }));
	const answered = await api.login.bearer({ deviceId: id, challenge, signature });
	if (!answered.ok) throw answered.error;
	return answered.value;
}
