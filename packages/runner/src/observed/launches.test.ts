import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { HookServer } from '@roost/agents/hooks/server';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { createMemoryStore } from '@roost/store/memory-store';
import { askThrough } from '@roost/testkit/rigs/agents/hook-agent';
import { startProgram } from '@roost/testkit/rigs/program';
import { slowStore } from '@roost/testkit/rigs/record/faulty-store';
import { readStored } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestEngine, createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../engine/engine.ts';
import type { Summarise } from '../engine/summaries.ts';
import { createLaunchFiles } from './launch-files.ts';
import { createLaunches, type Launches } from './launches.ts';
import { startHooks } from './start-hooks.ts';

const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: 'n1', prompt: 'go' };
const NOTICE = { hook_event_name: 'Notification', session_id: 'n1', message: 'still here' };

it('rejects an agent that cannot be observed', async () => {
	await using world = await createWorld();
	const { launches } = await world.startRunner();
	for (const agent of ['nobody', '__proto__', 'parrot']) {
		const body = { agent, cwd: '/', gate: 'observe', headless: true, pid: process.pid } as const;
		const { code, message } = unwrapError(await launches.open(body));
		expect(code).toBe('bad_request');
		expect(message).toContain(`There is no agent "${agent}" to observe: choose one of claude, codex`);
	}
	expect(world.files()).toEqual([]);
});

describe('launch that outlives its runner', () => {
	it('is known to the next runner by the same secret and URL', async () => {
		await using world = await createWorld();
		const first = await world.startRunner();
		const launch = await world.launch(first);
		await world.report(launch, PROMPT);
		const second = await world.restart(first);
		expect(second.server.httpUrl).toBe(first.server.httpUrl);
		expect(await world.report(launch, { hook_event_name: 'Notification', session_id: 'n1', message: 'x' })).toMatchObject({
			saw: 'nothing',
		});
		await second.engine.settled();
		expect(world.kinds(launch)).toEqual(expect.arrayContaining(['user.prompt', 'notification']));
		expect(unwrap(await second.launches.end(launch.launchId))).toEqual({ sessionId: launch.sessionId });
		expect(world.files()).toEqual([]);
	});

	it.each([
		['longer', 3_600_000],
		['shorter', 5_000],
	])('limits its asks to the timeout of its hooks if the timeout of the next runner is %s', async (_how, askTimeoutMs) => {
		await using world = await createWorld();
		const first = await world.startRunner(600_000);
		const launch = await world.launch(first);
		expect(launch.hooks.askMs).toBe(600_000);
		await world.report(launch, PROMPT);
		const second = await world.restart(first, askTimeoutMs);
		const call = { tool_name: 'Bash', tool_input: { command: 'make' } };
		const seen = world.report(launch, { hook_event_name: 'PermissionRequest', session_id: 'n1', ...call });
		const ask = await waitFor(() => unwrap(world.store.asks({ state: 'pending' }))[0], { what: 'the ask' });
		expect(ask.expiresAt - ask.openedAt).toBe(Math.min(600_000, askTimeoutMs));
		unwrap(await second.engine.answer(ask.id, { type: 'deny', message: 'no' }, { name: 'lea', face: 'cli' }));
		expect(await seen).toMatchObject({ saw: 'deny' });
	});

	it('records one gap for each restart, with its start time', async () => {
		await using world = await createWorld();
		let runner = await world.startRunner();
		const launch = await world.launch(runner);
		await world.report(launch, PROMPT);
		for (const restarts of [1, 2]) {
			const last = world.stored(launch).at(-1)?.event.ts ?? 0;
			runner = await world.restart(runner);
			await runner.engine.settled();
			expect(world.kinds(launch).filter((kind) => kind === 'runtime.status')).toHaveLength(restarts);
			expect(world.stored(launch).at(-1)?.event.data).toMatchObject({
				status: 'gap',
				reason: expect.stringContaining(new Date(last).toISOString()),
			});
		}
	});

	it.each([
		['has reported nothing', []],
		['has ended', [PROMPT, { hook_event_name: 'SessionEnd', session_id: 'n1', reason: 'other' }]],
	])('records no gap for a session that %s', async (_name, reports) => {
		await using world = await createWorld();
		const first = await world.startRunner();
		const launch = await world.launch(first);
		for (const report of reports) await world.report(launch, report);
		const second = await world.restart(first);
		await second.engine.settled();
		expect(world.kinds(launch)).not.toContain('runtime.status');
	});

	it('continues in its last session, and is found by its native ids', async () => {
		await using world = await createWorld();
		const first = await world.startRunner();
		const launch = await world.launch(first);
		await world.report(launch, PROMPT);
		const second = await world.restart(first);
		expect(second.launches.reports('n1')).toBe(true);
		await world.report(launch, { ...PROMPT, session_id: 'n2' });
		await second.engine.settled();
		expect(unwrap(world.store.sessions())).toMatchObject([{ id: launch.sessionId, nativeIds: [{ id: 'n1' }, { id: 'n2' }] }]);
	});

	it('is forgotten when the command that waited for it has exited', async () => {
		await using world = await createWorld();
		const first = await world.startRunner();
		const waiter = await startProgram([process.execPath, '-e', 'setInterval(() => {}, 1000)'], { cwd: '/', env: {} });
		const launch = await world.launch(first, waiter.pid);
		await world.report(launch, PROMPT);
		await waiter.kill();
		const second = await world.restart(first);
		expect(world.files()).toEqual([]);
		expect(await world.report(launch, PROMPT)).toMatchObject({ saw: 'failed', message: expect.stringContaining('401') });
		expect(second.launches.count()).toBe(0);
	});

	it('is reported as unreachable if another process has its port', async () => {
		await using world = await createWorld();
		const first = await world.startRunner();
		await world.launch(first);
		await using _squatter = await world.restartWhere(first, (port) => listenOn(port));
		expect(world.warnings).toMatchObject([expect.stringContaining('which is taken')]);
	});

	it('stores no secret in its file', async () => {
		await using world = await createWorld();
		const launch = await world.launch(await world.startRunner());
		expect(world.files()).toHaveLength(1);
		expect(world.fileText()).not.toContain(launch.hooks.secret);
	});
});

describe('second launch of the same session', () => {
	const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, hook_event_name: 'PermissionRequest', session_id: 'n1' };
	const resume = { hook_event_name: 'SessionStart', session_id: 'n1', source: 'resume' };

	it.each([
		['the same session if the first launch has ended', true],
		['its own session while the first launch holds it', false],
	])('asks in %s, and gets the answer', async (_name, ended) => {
		await using world = await createWorld();
		const runner = await world.startRunner();
		const first = await world.launch(runner);
		await world.report(first, PROMPT);
		if (ended) unwrap(await runner.launches.end(first.launchId));
		const second = await world.launch(runner);
		await world.report(second, resume);
		const seen = world.report(second, call);
		const ask = await waitFor(() => runner.engine.asks.list({})[0], { what: 'the ask' });
		expect(ask.sessionId).toBe(ended ? first.sessionId : second.sessionId);
		if (!ended) await world.report(first, NOTICE);
		unwrap(await runner.engine.answer(ask.id, { type: 'allow' }, { name: 'lea', face: 'test' }));
		expect(await seen).toEqual({ saw: 'allow' });
	});
});

describe('launch whose agent has exited', () => {
	it.each([
		['received all reports', false],
		['started afterwards', true],
	])('has its session ended once by a runner that %s, if the agent did not report it', async (_name, isAnother) => {
		await using world = await createWorld();
		const first = await world.startRunner();
		const launch = await world.launch(first);
		await world.report(launch, { ...PROMPT, transcript_path: '/transcripts/n1.jsonl' });
		const runner = isAnother ? await world.restart(first) : first;
		unwrap(await runner.launches.end(launch.launchId));
		await runner.engine.settled();
		expect(unwrap(world.store.sessions({ id: launch.sessionId }))).toMatchObject([{ status: 'ended' }]);
		expect(world.kinds(launch).filter((kind) => kind === 'session.end')).toHaveLength(1);
		expect(world.read).toEqual(isAnother ? [] : ['/transcripts/n1.jsonl']);
	});

	it('records no second end if the agent reported it', async () => {
		await using world = await createWorld();
		const runner = await world.startRunner();
		const launch = await world.launch(runner);
		await world.report(launch, PROMPT);
		await world.report(launch, { hook_event_name: 'SessionEnd', session_id: 'n1', reason: 'prompt_input_exit' });
		unwrap(await runner.launches.end(launch.launchId));
		const ends = world.stored(launch).filter(({ event }) => event.kind === 'session.end');
		expect(ends).toMatchObject([{ event: { data: { reason: 'prompt_input_exit' } } }]);
	});
});

it('ends a launch while another session waits for the disk', { timeout: 30_000 }, async () => {
	await using world = await createWorld();
	const runner = await world.startRunner();
	const [stuck, other] = [await world.launch(runner), await world.launch(runner)];
	await world.report(other, { ...PROMPT, session_id: 'n2' });
	world.disk.hold(stuck.sessionId);
	try {
		await world.report(stuck, PROMPT);
		expect(unwrap(await runner.launches.end(other.launchId))).toEqual({ sessionId: other.sessionId });
		expect(world.kinds(other)).toContain('session.end');
		expect(world.kinds(stuck)).toEqual([]);
	} finally {
		world.disk.release(stuck.sessionId);
	}
});

type Runner = { engine: Engine; server: HookServer; launches: Launches };

async function createWorld() {
	const temp = await createTempDir();
	const { store, ...disk } = slowStore(createMemoryStore());
	const warnings: string[] = [];
	const running = new AsyncDisposableStack();

	const read: string[] = [];
	const summarise: Summarise = async ({ path }) => {
		read.push(path);
		return [];
	};

	async function startRunner(askTimeoutMs = 60_000): Promise<Runner> {
		const engine = running.use(createTestEngine({ store, summarise, askTimeoutMs }));
		const server = running.use(unwrap(await startHooks({ runDir: temp.path, now: Date.now, newId: randomUUID })));
		const warn = (message: string) => warnings.push(message);
		const files = createLaunchFiles(temp.path);
		const launches = createLaunches({
			engine,
			store,
			server,
			files,
			projects: createTestProjects(store),
			askTimeoutMs,
			now: Date.now,
			warn,
		});
		launches.resume();
		return { engine, server, launches };
	}

	async function end({ engine, server }: Runner): Promise<void> {
		await engine.settled();
		await server.close();
	}

	const stored = (launch: LaunchOpened) => readStored(store, launch.sessionId);
	const files = () => readdirSync(temp.path).filter((name) => name.startsWith('launch-'));
	return {
		store,
		disk,
		warnings,
		read,
		startRunner,
		stored,
		files,
		fileText: () =>
			files()
				.map((name) => readFileSync(`${temp.path}/${name}`, 'utf8'))
				.join(),
		kinds: (launch: LaunchOpened) => stored(launch).map((line) => line.event.kind),
		async launch({ launches }: Runner, pid = process.pid) {
			return unwrap(await launches.open({ agent: 'claude', cwd: temp.path, gate: 'observe', headless: true, pid }));
		},
		report: ({ hooks }: LaunchOpened, payload: Record<string, unknown>) =>
			askThrough('http', { hooks, gate: 'observe', payload }),
		async restart(before: Runner, askTimeoutMs?: number) {
			await end(before);
			return await startRunner(askTimeoutMs);
		},
		async restartWhere(before: Runner, squat: (port: number) => Promise<AsyncDisposable>) {
			await end(before);
			const squatter = await squat(Number(new URL(before.server.httpUrl).port));
			await startRunner();
			return squatter;
		},
		async [Symbol.asyncDispose]() {
			await running.disposeAsync();
			await temp[Symbol.asyncDispose]();
		},
	};
}

async function listenOn(port: number): Promise<AsyncDisposable> {
	const server: Server = createServer();
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}
