// A real hub and a real runner under load: an agent that reports, a person that sends commands through the hub, and a face that
// follows. At the end all of them have to have seen the same.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectThroughHub } from '@roost/cli/hub/connect-hub';
import { openHubLogin } from '@roost/cli/hub/hub-login';
import type { ApiClient } from '@roost/client/api-client';
import { type RunnerId, runnerId, type SessionId } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { askThrough } from '../agents/hook-agent.ts';
import { type PlayedAgent, type RunnerProcess, startRunnerProcess } from '../runner/runner-rig.ts';
import { unwrap } from '../unwrap.ts';
import { pause, waitFor } from '../wait-for.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';
import { openRawFace, type RawFace } from './raw-face.ts';

export type HubWorld = AsyncDisposable & {
	readonly hub: HubProcess;
	readonly runner: RunnerProcess;
	readonly face: RawFace;
	/** Another one. */
	openFace(): RawFace;
	readonly session: SessionId;
	readonly agent: PlayedAgent;
	/** Through the hub, with the device of the runner's machine. */
	api(): ApiClient;
	/** A hook of the agent; it may be lost where the runner is killed. */
	report(payload: Record<string, unknown>): Promise<void>;
	/** Sends the command until its outcome is known. */
	rename(commandId: string, title: string): Promise<void>;
	/** Reports and renames until it is stopped; the titles that were set. */
	load(): { stop(): Promise<string[]> };
	own(): string[];
	/** Of the current epoch, or of another one. */
	atHub(epoch?: number): Promise<string[]>;
	/** Waits until the hub and the face have what the runner has, and compares. */
	agree(): Promise<string[]>;
};

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';
const RECONNECT = { initialDelayMs: 50, maxDelayMs: 250, multiplier: 2 };
/** What a repeat of a command may change. */
const PASSING: ReadonlySet<string> = new Set([
	'cannot_start',
	'timed_out',
	'store_unavailable',
	'store_busy',
	'internal',
	'rate_limited',
]);

export type HubWorldOptions = {
	/** By default one with a database of its own, which is ended with the world. */
	hub?: HubProcess;
	/** Before the face and the commands connect; returns where they do. */
	afterPairing?(runner: RunnerProcess): Promise<string>;
	runnerConfig?: { hub?: object };
	readLines?(runner: RunnerId, epoch?: number): Promise<string[]>;
};

export async function openHubWorld(options: HubWorldOptions = {}): Promise<HubWorld> {
	await using stack = new AsyncDisposableStack();
	const hub = options.hub ?? stack.use(await startHubProcess());
	const link = { reconnect: RECONNECT, heartbeatIntervalMs: 1_000, ...options.runnerConfig?.hub };
	const config = { runner: { port: 0 }, hub: link };
	const runner = stack.use(await startRunnerProcess({ config }));
	await hub.pair(runner);
	const id = runnerIdOf(runner);
	const entrance = (await options.afterPairing?.(runner)) ?? hub.url;
	const env = { ...runner.env };
	const connected = unwrap(await connectThroughHub({ hub: entrance, runner: undefined }, 'cli', env));
	const login = unwrap(openHubLogin(entrance, env));
	const launched = await runner.openLaunch({ pid: runner.waiterPid });
	const { hooks, sessionId: session } = launched;
	const report: HubWorld['report'] = async (payload) => {
		await askThrough('http', { hooks, gate: 'observe', payload: { session_id: NATIVE, ...payload }, timeoutMs: 10_000 });
	};
	await report({ hook_event_name: 'SessionStart', source: 'startup' });
	await report({ hook_event_name: 'UserPromptSubmit', prompt: 'begin' });
	const url = `${entrance.replace('http', 'ws')}/api/v1/runners/${encodeURIComponent(id)}/stream`;
	const openFace = () => openRawFace({ url, bearer: login.bearer });
	const face = stack.use(openFace());
	const path = { runner: join(runner.home, 'roost.db'), hub: join(hub.home, 'hub', 'hub.db') };
	const { readLines = async (of, epoch) => readHub(path.hub, of, epoch) } = options;

	async function rename(commandId: string, title: string): Promise<void> {
		let seen: unknown;
		const isDone = async () => {
			const renamed = await connected.api.sessions.rename({ commandId, id: session, title });
			seen = renamed;
			if (!renamed.ok && !PASSING.has(renamed.error.code)) throw new Error(`${commandId}: ${renamed.error.message}`);
			return renamed.ok || undefined;
		};
		await waitFor(isDone, { what: `the outcome of ${commandId}`, seen: () => seen, everyMs: 50 });
	}

	const own = () => readOwn(path.runner, id);
	const atHub = (epoch?: number) => readLines(id, epoch);
	const owned = stack.move();
	return {
		hub,
		runner,
		face,
		openFace,
		session,
		agent: launched,
		api: () => connected.api,
		report,
		rename,
		load: () => startLoad({ report, rename }),
		own,
		atHub,
		async agree() {
			const logs = async () => [own(), await atHub(), face.lines];
			const same = await waitFor(async () => sameLength(await logs()), {
				what: 'the hub and the face to have what the runner has',
				seen: async () => ({ lengths: (await logs()).map(({ length }) => length), errors: face.errors.slice(-3) }),
				everyMs: 100,
			});
			const [lines = []] = same;
			if (new Set(same.map(sumOf)).size > 1) throw new Error(`the logs differ: ${whereDifferent(same)}`);
			return [...lines];
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function startLoad({ report, rename }: Pick<HubWorld, 'report' | 'rename'>): ReturnType<HubWorld['load']> {
	const titles: string[] = [];
	let isOver = false;

	async function speak(): Promise<void> {
		for (let at = 0; !isOver; at += 1) {
			await report({ hook_event_name: 'UserPromptSubmit', prompt: `say ${at}` });
			await pause(10);
		}
	}
	async function command(): Promise<void> {
		while (!isOver) {
			const title = `Title ${crypto.randomUUID()}`;
			await rename(`rename-${title.slice(6)}`, title);
			titles.push(title);
			await pause(10);
		}
	}
	const working = Promise.all([speak(), command()]);
	// Reported by `stop`.
	working.catch(() => undefined);
	return {
		async stop() {
			isOver = true;
			await working;
			return titles;
		},
	};
}

/** How often each title was set, by the facts of the record. */
export function countRenames(lines: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const line of lines) {
		if (!line.includes('"session.renamed"')) continue;
		const { event } = storedLine.parse(JSON.parse(line));
		if (event.kind === 'session.renamed') counts.set(event.data.title, (counts.get(event.data.title) ?? 0) + 1);
	}
	return counts;
}

function runnerIdOf({ home }: RunnerProcess): RunnerId {
	return runnerId.parse(readFileSync(join(home, 'runner-id'), 'utf8').trim());
}

function readOwn(path: string, id: RunnerId): string[] {
	const store = unwrap(openSqliteStore({ path, access: 'read' }));
	try {
		return unwrap(store.read({ runnerId: id, afterSeqNo: 0, limit: 10_000_000 })).map(({ line }) => line);
	} finally {
		void store.close();
	}
}

/** Beside the hub, which holds the lock of a writer. */
function readHub(path: string, id: RunnerId, epoch?: number): string[] {
	const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
	try {
		const which = epoch === undefined ? 'ended_at IS NULL' : `epoch = ${epoch}`;
		const select = `SELECT line FROM lines JOIN logs USING (log_no) JOIN runners USING (runner_no) WHERE id = ? AND ${which} ORDER BY seq`;
		return db
			.prepare(select)
			.all(id)
			.map(({ line }) => String(line));
	} finally {
		db.close();
	}
}

type Logs = (readonly string[])[];

function sameLength(logs: Logs): Logs | undefined {
	return logs.every(({ length }) => length === logs[0]?.length) ? logs.map((lines) => [...lines]) : undefined;
}

function sumOf(lines: readonly string[]): string {
	const hash = createHash('sha256');
	for (const line of lines) hash.update(line).update('\n');
	return hash.digest('hex');
}

function whereDifferent(logs: Logs): string {
	const [first = []] = logs;
	const at = first.findIndex((line, index) => logs.some((log) => log[index] !== line));
	return `line ${at + 1}: ${logs.map((log) => log[at]).join('\n')}`;
}
