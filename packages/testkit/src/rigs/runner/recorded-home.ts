// Homes with a record: one session of sample events, or the session of the demo.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { playDemo } from '@roost/cli/demo/open-demo';
import { resolveHome } from '@roost/home/home';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleAppend, sampleEvent, sampleSession } from '../record/sample-append.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';

export type RecordedHome = AsyncDisposable & {
	path: string;
	env: Readonly<Record<string, string>>;
	id: SessionId;
	/** As they were written. */
	lines: readonly string[];
	/** Of the chain. */
	head: string;
};

export async function createRecordedHome({ events }: { events: number }): Promise<RecordedHome> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const env = { HOME: temp.path, ROOST_HOME: join(temp.path, 'home') };
	const { database } = unwrap(resolveHome(env));
	mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
	const store = stack.use(unwrap(openSqliteStore({ path: database, access: 'write' })));
	const session = sampleSession('k3f9');
	const all = Array.from({ length: events }, (_, at) => sampleEvent(session.id, at + 1));
	unwrap(await store.append({ ...sampleAppend(session.id, all), session }));
	const stream = sessionStream(session.id);
	const lines = unwrap(store.read({ stream, after: 0, limit: events })).map(({ line }) => line);
	const head = unwrap(store.verify(stream)).streams[0]?.head ?? '';
	const owned = stack.move();
	return { path: temp.path, env, id: session.id, lines, head, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const FAST = 1_000;

export async function playDemoInto(env: Readonly<Record<string, string>>, folder: string): Promise<SessionId> {
	const { signal } = new AbortController();
	const stage = { env: { ...env, ROOST_PORT: '0' }, folder, speed: FAST };
	return unwrap(await playDemo({ ...stage, signal, onEvents: () => {} })).sessionId;
}
