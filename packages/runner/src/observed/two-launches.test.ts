import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { digestOf } from '@roost/agents/hooks/hook-targets';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { hookPayloads } from '@roost/core/runtime/normal-form/hook-payloads';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { ruleId, type SessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { createMemoryStore } from '@roost/store/memory-store';
import { anyHookPayload } from '@roost/testkit/rigs/agents/hook-agent';
import { connectNdjson } from '@roost/testkit/rigs/agents/hook-rig';
import { readStored } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestEngine, createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { startLiveAgent } from '../driven/live-agents.ts';
import { createInstalledSessions } from './installed-sessions.ts';
import { createLaunchFiles } from './launch-files.ts';
import { createLaunches } from './launches.ts';
import { startHooks } from './start-hooks.ts';

const AGENTS = ['claude', 'codex', 'copilot', 'pi'] as const;
const GATES = ['observe', 'enforce'] as const;
const DOORS = ['http', 'socket'] as const;
const HOOKS = [...Object.keys(hookPayloads), 'SomethingNew'];
const LEA = { name: 'lea', face: 'test' };

describe.each(AGENTS)('hook secret of one %s launch', (agent) => {
	it.each(GATES)('cannot write to the session of another launch, with any hook or transport (%s)', async (gate) => {
		await using world = await createWorld({ agent, gate });
		const [a, b] = [await world.launch(), await world.launch()];
		const asked = await world.beginAsking(b, 'native-b');
		const before = readStored(world.store, b.sessionId);
		await Promise.all(DOORS.flatMap((door) => HOOKS.map((hook) => world.send(a, door, hook, 'native-b'))));
		await world.engine().settled();

		expect(readStored(world.store, b.sessionId)).toEqual(before);
		expect(
			world
				.engine()
				.asks.list({})
				.map(({ id }) => id),
		).toContain(asked.id);
		expect(unwrap(world.store.sessions({ nativeId: 'native-b' })).map(({ id }) => id)).toEqual([b.sessionId]);
		expect(world.read).toEqual([]);
		const own = readStored(world.store, a.sessionId).map(({ event }) => event);
		expect(own.filter(({ kind }) => kind === 'runtime.error')).toContainEqual(
			expect.objectContaining({ data: expect.objectContaining({ code: 'foreign_session' }) }),
		);
		expect(own.flatMap(({ data }) => ('rule_id' in data && data.rule_id ? [data.rule_id] : []))).toEqual([]);
		expect(own.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['user.prompt', 'tool.pre', 'session.end']));
		unwrap(await world.engine().answer(asked.id, { type: 'allow' }, LEA));
		expect(await asked.reply).toContain(agent === 'codex' ? 'passthrough' : 'allow');
	});
});

describe('recorded session', () => {
	const PROMPT = ['socket', 'UserPromptSubmit'] as const;

	it('is claimed only by the start of a launch, if it has no holder', async () => {
		await using world = await createWorld();
		const [a, b] = [await world.launch(), await world.launch()];
		await world.send(b, 'socket', 'SessionStart', 'native-b');
		unwrap(await world.launches().end(b.launchId));
		await world.send(a, ...PROMPT, 'native-b');
		expect(world.receivedBy(a)).toEqual([a.sessionId]);
		await world.send(a, 'socket', 'SessionStart', 'native-b');
		await world.send(a, ...PROMPT, 'native-b');
		expect(world.receivedBy(a)).toEqual([a.sessionId, b.sessionId, b.sessionId]);
	});

	it.each([
		['of another kind of agent', { agent: 'codex' }],
		['in another project', { cwd: '/' }],
	] as const)('is not claimed by a launch %s', async (_name, other) => {
		await using world = await createWorld();
		const [a, b] = [await world.launch(other), await world.launch()];
		await world.send(b, 'socket', 'SessionStart', 'native-b');
		unwrap(await world.launches().end(b.launchId));
		await world.send(a, 'socket', 'SessionStart', 'native-b');
		expect(world.receivedBy(a)).toEqual([a.sessionId]);
	});

	it('is free again once its agent has reported its end and switched to another session', async () => {
		await using world = await createWorld();
		const [a, b] = [await world.launch(), await world.launch()];
		await world.send(b, 'socket', 'SessionStart', 'native-b');
		await world.send(a, 'socket', 'SessionStart', 'native-a');
		unwrap(await world.launches().end(a.launchId));
		await world.send(b, 'socket', 'SessionEnd', 'native-b');
		await world.send(b, 'socket', 'SessionStart', 'native-a');
		const c = await world.launch();
		await world.send(c, 'socket', 'SessionStart', 'native-b');
		expect(world.receivedBy(c)).toEqual([b.sessionId]);
		await world.send(b, ...PROMPT, 'native-b');
		expect(world.receivedBy(b).at(-1)).toBe(a.sessionId);
	});

	it('is held before it is stored', async () => {
		await using world = await createWorld();
		const [a, b] = [await world.launch(), await world.launch()];
		const { append } = world.store;
		const freed = Promise.withResolvers<void>();
		world.store.append = async (request) => {
			await freed.promise;
			return await append(request);
		};
		await world.send(b, ...PROMPT, 'native-b');
		await world.send(a, ...PROMPT, 'native-b');
		freed.resolve();
		expect(world.receivedBy(a)).toEqual([a.sessionId]);
	});

	it('stays with its launch after a restart of the runner', async () => {
		await using world = await createWorld({ gate: 'enforce' });
		const [a, b] = [await world.launch(), await world.launch()];
		await world.send(b, 'socket', 'SessionStart', 'native-b');
		await world.send(a, 'socket', 'SessionStart', 'native-a');
		await world.restart();
		await world.engine().settled();
		const before = readStored(world.store, b.sessionId);
		await Promise.all(HOOKS.map((hook) => world.send(a, 'http', hook, 'native-b')));
		await world.engine().settled();
		expect(readStored(world.store, b.sessionId)).toEqual(before);
		await world.send(b, ...PROMPT, 'native-b');
		expect(world.receivedBy(b).at(-1)).toBe(b.sessionId);
	});

	it('cannot be reached by a launch or installed hooks while Roost drives it', async () => {
		await using world = await createWorld();
		const a = await world.launch();
		const driven = await world.drive('driven-1');
		const before = readStored(world.store, driven.id);
		const project = { hooks: { ...a.hooks, secret: 'of-the-project' } };
		await Promise.all(HOOKS.map((hook) => world.send(a, 'socket', hook, driven.nativeId)));
		await Promise.all(HOOKS.map((hook) => world.send(project, 'socket', hook, driven.nativeId, { unread: true })));
		await world.settled();
		expect(readStored(world.store, driven.id)).toEqual(before);
	});

	it('cannot be reached by installed hooks while a launch holds it, or after the launch ended', async () => {
		await using world = await createWorld();
		const b = await world.launch();
		const project = { hooks: { ...b.hooks, secret: 'of-the-project' } };
		await world.send(b, 'socket', 'SessionStart', 'native-b');
		await Promise.all(HOOKS.map((hook) => world.send(project, 'socket', hook, 'native-b', { unread: true })));
		await world.settled();
		expect(world.received.map(({ id }) => id)).toEqual([b.sessionId]);
		unwrap(await world.launches().end(b.launchId));
		const late = HOOKS.filter((hook) => hook !== 'SessionStart');
		await Promise.all(late.map((hook) => world.send(project, 'socket', hook, 'native-b', { unread: true })));
		await world.settled();
		expect(world.received).toHaveLength(1);
	});
});

type WorldOptions = { agent?: string; gate?: GateMode };

/** The hook server of a runner, with rules for one session: `make` is allowed there, `rm` asks. */
async function createWorld({ agent = 'claude', gate = 'observe' }: WorldOptions = {}) {
	const temp = await createTempDir();
	const store = createMemoryStore();
	const received: { id: SessionId; marker: string; secret: string }[] = [];
	const sent = new Map<string, string>();
	const read: string[] = [];
	let favoured = '';
	const path = realpathSync(temp.path);
	const project = { ...createTestProjects().identify(path), agent: 'claude' as const };

	const owned = new AsyncDisposableStack();
	owned.use(temp);

	async function startRunner() {
		const parts = owned.use(new AsyncDisposableStack());
		const engine = parts.use(
			createTestEngine({
				store,
				rules: () => rulesFor(favoured),
				summarise: async ({ path: transcript }) => {
					read.push(transcript);
					return [];
				},
				received(id, { context }) {
					const secret = sent.get(context.cwd);
					if (secret !== undefined) received.push({ id, marker: context.cwd, secret });
				},
			}),
		);
		const server = parts.use(unwrap(await startHooks({ runDir: temp.path, now: Date.now, newId: randomUUID })));
		const files = createLaunchFiles(temp.path);
		const projects = createTestProjects(store);
		const launches = createLaunches({
			engine,
			store,
			server,
			files,
			projects,
			askTimeoutMs: 60_000,
			now: Date.now,
			warn: () => {},
		});
		const installed = parts.use(
			createInstalledSessions({
				engine,
				identify: projects.identify,
				installed: { find: (digest) => (digest === digestOf('of-the-project') ? project : undefined) },
				isLaunched: launches.reports,
				now: Date.now,
				log: () => {},
			}),
		);
		server.serveProjects(installed.findProject);
		launches.resume();
		return { engine, server, launches, installed, parts };
	}

	let runner = await startRunner();
	let client = owned.use(await connectNdjson(runner.server.socketPath));
	let requests = 0;

	/** Resolves when the report was received, answered or not. `unread`: when it was answered. */
	async function send(
		{ hooks }: Pick<LaunchOpened, 'hooks'>,
		door: (typeof DOORS)[number],
		hook: string,
		nativeId: string,
		{ unread = false, command = 'make x' } = {},
	): Promise<{ reply: Promise<string> }> {
		const marker = `/marker/${++requests}`;
		sent.set(marker, hooks.secret);
		const payload = anyHookPayload(hook, nativeId, { cwd: marker, command });
		const request = {
			secret: hooks.secret,
			request_id: marker,
			ts: Date.now(),
			session_id: nativeId,
			hook_event_name: hook,
			payload,
		};
		const reply = door === 'http' ? post(hooks, payload) : ask(request, marker);
		if (unread) await reply;
		else await waitFor(() => received.find((one) => one.marker === marker), { what: `${hook} over ${door}` });
		return { reply };
	}

	const replies = new Map<string, (text: string) => void>();
	const listen = async (from: typeof client) => {
		for (let reply = await from.next(); reply; reply = await from.next())
			replies.get(String(reply.request_id))?.(JSON.stringify(reply));
	};
	void listen(client);
	function ask(request: object, marker: string): Promise<string> {
		client.send(request);
		return new Promise((resolve) => replies.set(marker, resolve));
	}

	return {
		store,
		received: received,
		read,
		send,
		engine: () => runner.engine,
		launches: () => runner.launches,
		receivedBy: ({ hooks }: LaunchOpened) => received.filter(({ secret }) => secret === hooks.secret).map(({ id }) => id),
		async settled() {
			await runner.installed[Symbol.asyncDispose]();
			await runner.engine.settled();
		},
		async launch(over: { agent?: string; cwd?: string } = {}) {
			const body = { agent, cwd: path, gate, headless: true, pid: process.pid, ...over };
			return unwrap(await runner.launches.open(body));
		},
		/** Starts a session with the rules and a pending request. */
		async beginAsking(launch: LaunchOpened, nativeId: string) {
			favoured = launch.sessionId;
			await send(launch, 'socket', 'SessionStart', nativeId);
			const hook = agent === 'claude' || agent === 'pi' ? 'PermissionRequest' : 'PreToolUse';
			const { reply } = await send(launch, 'socket', hook, nativeId, { command: 'rm x' });
			const waiting = await waitFor(() => runner.engine.asks.list({})[0], { what: 'the ask' });
			await runner.engine.settled();
			return { id: waiting.id, reply };
		},
		async drive(id: string) {
			const session = { id: `s-${id}` as SessionId };
			const opened = mockAgent({}).open({ cwd: path, session: session.id, gate: 'enforce', onSpawned: () => {} });
			runner.engine.holders.claim(session.id, { isAlive: () => true });
			const live = startLiveAgent({ agent: opened, session, project, engine: runner.engine, now: Date.now, warn: () => {} });
			await live.prompt({ id: 'p1', text: 'go' } as Parameters<typeof live.prompt>[0]);
			const nativeId = await waitFor(() => unwrap(store.sessions({ id: session.id }))[0]?.nativeIds[0]?.id, {
				what: 'its native id',
			});
			await waitFor(() => (readStored(store, session.id).some(({ event }) => event.kind === 'run.end') ? true : undefined), {
				what: 'the end of its run',
			});
			await runner.engine.settled();
			return { ...session, nativeId };
		},
		async restart() {
			await runner.engine.settled();
			await runner.parts.disposeAsync();
			runner = await startRunner();
			client = owned.use(await connectNdjson(runner.server.socketPath));
			void listen(client);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function post({ httpUrl, secret }: LaunchOpened['hooks'], payload: object): Promise<string> {
	try {
		const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
		const response = await fetch(httpUrl, { method: 'POST', body: JSON.stringify(payload), headers });
		return await response.text();
	} catch (error) {
		// The server closed during the wait.
		return String(error);
	}
}

function rulesFor(session: string): Rule[] {
	if (session === '') return [];
	const rule = { tool: 'Bash', scope: 'session', scopeId: session, addedBy: 'lea@test', createdAt: 1 } as const;
	return [
		{ ...rule, id: ruleId.parse('r-allow'), argsPattern: 'make *', decision: 'allow' },
		{ ...rule, id: ruleId.parse('r-ask'), argsPattern: 'rm *', decision: 'ask' },
	];
}
