// A hub as a process. Opens everything in order, and closes it in reverse order.
import { join } from 'node:path';
import { osUserName } from '@roost/gateway/access/caller';
import { loadConfig } from '@roost/home/config/load-config';
import { ensureHome, resolveHome } from '@roost/home/home';
import { hubFolderOf } from '@roost/home/hub/hub-folder';
import { removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { VERSION } from '@roost/home/version';
import { createLog, type LogTarget } from '@roost/machine/create-log';
import { createDrain } from '@roost/machine/drain';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { realTimers } from '@roost/machine/timers';
import { userName } from '@roost/protocol/hub/people';
import { ok, type Result } from '@roost/protocol/result';
import { openNatsBus } from './bus/nats-bus.ts';
import { openHub } from './open-hub.ts';
import { type HubFlags, toHubSettings } from './settings.ts';
import type { HubStore } from './store/hub-store.ts';
import { openPostgresHubStore } from './store/postgres-hub-store.ts';
import { openSqliteHubStore } from './store/sqlite-hub-store.ts';

export type HubUp = {
	/** Where others reach it. */
	url: string;
	/** Pairs the first runner with its admin; undefined where one is paired already. */
	invitation: { url: string; expiresAt: number } | undefined;
};

export type ServeHubOptions = {
	env: NodeJS.ProcessEnv;
	flags: HubFlags;
	logTo: LogTarget;
	/** Called once it is reachable. */
	onUp: (up: HubUp) => void;
};

/** Runners reconnect within this time after the hub has ended. */
const GOODBYE_MS = 10_000;

/** Resolves with the exit code when the hub has ended. */
export async function serveHub({ env, flags, logTo, onUp }: ServeHubOptions): Promise<Result<number>> {
	const { log, hide } = createLog(logTo, Date.now);
	const warn = (msg: string) => log({ level: 'warn', msg });
	const config = loadConfig({ env });
	if (!config.ok) return config;
	const settings = toHubSettings(config.value.hub, flags);
	if (!settings.ok) return settings;
	const folder = hubFolder(env);
	if (!folder.ok) return folder;
	const token = keepToken({ home: { data: folder.value }, env: {} });
	if (!token.ok) return token;
	hide(token.value);
	const { database, nats, ...listening } = settings.value;
	for (const secret of passwordsIn([database, nats])) hide(secret);
	const store = await openStore(database, folder.value);
	if (!store.ok) return store;
	const opened = await openHub({
		...listening,
		store: store.value,
		joinNodes: nats === undefined ? undefined : (id) => openNatsBus({ url: nats, prefix: `roost.${id}`, warn }),
		token: token.value,
		firstUser: toUserName(osUserName()),
		now: Date.now,
		log,
	});
	if (!opened.ok) return opened;
	const hub = opened.value;
	const url = listening.origins[0] ?? hub.url;
	const place = { run: folder.value };
	const own = { ownUrl: toOwnUrl(hub.url), certificate: listening.tls?.cert };
	const written = writeRunnerFile(place, { port: hub.port, version: VERSION, startedAt: Date.now(), url, ...own });
	const invited = hub.hasRunners() || !written.ok ? ok(undefined) : await hub.invite();
	for (const step of [written, invited]) {
		if (step.ok) continue;
		await hub[Symbol.asyncDispose]();
		return step;
	}
	const steps = [
		{ name: 'removing its file', run: () => void removeRunnerFile(place) },
		{ name: 'sending runners away', run: () => hub.goAway(GOODBYE_MS) },
		{ name: 'closing connections and files', run: () => hub[Symbol.asyncDispose]() },
	];
	using drain = createDrain(steps, {
		timers: realTimers,
		onProblem: warn,
		exit: process.exit,
	});
	log({ level: 'info', msg: `the hub is up at ${url}`, pid: process.pid, version: VERSION });
	const code = invited.ok ? invited.value : undefined;
	onUp({ url, invitation: code && { url: url + code.path, expiresAt: code.expiresAt } });
	const exitCode = await drain.ended;
	log({ level: 'info', msg: 'the hub has ended', code: exitCode });
	return ok(exitCode);
}

/** In addresses, which errors of a library may repeat. */
function passwordsIn(addresses: readonly (string | undefined)[]): string[] {
	const passwords = addresses.map((address) => (address === undefined ? '' : (URL.parse(address)?.password ?? '')));
	return passwords.filter((password) => password !== '').flatMap((password) => [password, decodeURIComponent(password)]);
}

function hubFolder(env: NodeJS.ProcessEnv): Result<string> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const folder = hubFolderOf(home.value);
	const safe = ensurePrivateDirectory(folder, 'close');
	return safe.ok ? ok(folder) : safe;
}

async function openStore(database: string | undefined, folder: string): Promise<Result<HubStore>> {
	if (database !== undefined) return await openPostgresHubStore({ url: database });
	return openSqliteHubStore({ path: join(folder, 'hub.db') });
}

/** The name of the system's user, as far as it is a name here. */
function toUserName(name: string): string {
	const plain = userName.safeParse(name.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '-'));
	return plain.success ? plain.data : 'admin';
}

/** An address of this machine in place of all its addresses. */
function toOwnUrl(url: string): string {
	return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
