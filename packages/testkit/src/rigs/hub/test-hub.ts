// A hub in this process over a real SQLite file, with its people and runners, as requests and frames reach it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Hub, type HubDeps, openHub } from '@roost/hub/open-hub';
import type { HubStore } from '@roost/hub/store/hub-store';
import { openSqliteHubStore } from '@roost/hub/store/sqlite-hub-store';
import { createSigningKey, type SigningKey, signText } from '@roost/machine/signing-key';
import { type Joined, joined } from '@roost/protocol/hub/pairing';
import { type Grant, pairingIssued } from '@roost/protocol/hub/people';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { type RawRequest, type RawResponse, sendRaw } from '../api/raw-http.ts';
import { postJson } from '../api/test-device.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';

export const HUB_TOKEN = 'hub-token-hub-token-hub-token-hub-token';
/** Of callers on the machine of the hub. */
export const OWN_TOKEN = { authorization: `Bearer ${HUB_TOKEN}` };

export type Joiner = { runner: SigningKey; device: SigningKey; id: RunnerId };

/** `headers`: with the bearer of its command line. */
export type PairedMachine = Joiner & { joined: Joined; headers: { authorization: string } };

export type TestHub = AsyncDisposable & {
	readonly hub: Hub;
	readonly port: number;
	readonly url: string;
	readonly store: HubStore;
	/** Its file, for changes as another process makes them. */
	readonly database: string;
	/** Every line of its log, as JSON. */
	readonly logged: readonly string[];
	/** Added to the clock of the hub. */
	clock: { aheadMs: number };
	/** With the token of its machine, unless the headers say otherwise. */
	call(request: Omit<RawRequest, 'port'>): Promise<RawResponse>;
	post(path: string, body: unknown, headers?: Record<string, string>): Promise<RawResponse>;
	/** A code for this person; by default for the first one, an admin. */
	invite(user?: string, grants?: readonly Grant[]): Promise<string>;
	/** `POST /join`; fails the test unless it succeeds. */
	pair(options?: { user?: string; grants?: readonly Grant[]; id?: string }): Promise<PairedMachine>;
};

/** `change` replaces parts of the storage that the hub uses. */
export async function startTestHub(
	over: Partial<HubDeps> = {},
	change: (store: HubStore) => HubStore = (store) => store,
): Promise<TestHub> {
	await using stack = new AsyncDisposableStack();
	const database = join(stack.use(await createTempDir()).path, 'hub.db');
	const store = unwrap(openSqliteHubStore({ path: database }));
	const logged: string[] = [];
	const clock = { aheadMs: 0 };
	const deps: HubDeps = {
		store: change(store),
		name: 'test hub',
		host: '127.0.0.1',
		port: 0,
		origins: [],
		token: HUB_TOKEN,
		firstUser: 'ada',
		now: () => Date.now() + clock.aheadMs,
		log: (line) => void logged.push(JSON.stringify(line)),
		...over,
	};
	const hub = stack.use(unwrap(await openHub(deps)));
	const owned = stack.move();
	const { port, url } = hub;
	const post: TestHub['post'] = (path, body, headers = {}) => postJson(port, path, body, { ...OWN_TOKEN, ...headers });

	async function invite(user?: string, grants?: readonly Grant[]): Promise<string> {
		if (user === undefined) return unwrap(await hub.invite()).code;
		const issued = await post('/api/v1/pairings', { user, grants });
		return pairingIssued.parse(JSON.parse(issued.body)).code;
	}

	return {
		hub,
		port,
		url,
		store,
		database,
		logged,
		clock,
		call: (request) => sendRaw({ headers: OWN_TOKEN, ...request, port }),
		post,
		invite,
		async pair({ user, grants, id = 'runner-1' } = {}) {
			const joiner = newJoiner(id);
			const reply = await postJson(port, '/api/v1/join', toJoinBody(await invite(user, grants), joiner), {});
			if (reply.status !== 201) throw new Error(`refused with ${reply.status}: ${reply.body}`);
			const answer = joined.parse(JSON.parse(reply.body));
			return { ...joiner, joined: answer, headers: { authorization: `Bearer ${answer.login.bearer}` } };
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

export function newJoiner(id: string): Joiner {
	return { id: runnerId.parse(id), runner: createSigningKey(), device: createSigningKey() };
}

/** The body of `POST /join`, signed as `roost join` does. */
export function toJoinBody(code: string, { id, runner, device }: Joiner) {
	const text = toLinkText({ purpose: 'join', code, runnerKey: runner.publicKey, deviceKey: device.publicKey });
	const prove = (name: string, key: SigningKey) => ({ name, publicKey: key.publicKey, signature: signText(key, text) });
	return { code, runner: { id, ...prove(`machine of ${id}`, runner) }, device: prove('cli', device) };
}

/** As another process or node changes it. */
export function changeDatabase(path: string, sql: string, ...values: readonly string[]): void {
	using database = new DatabaseSync(path);
	database.prepare(sql).run(...values);
}
