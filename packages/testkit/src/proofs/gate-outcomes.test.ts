// The ten ways a gate can fail, as in docs/gate-outcomes.md: each is caused on a real gate, and observed as the agent sees it.
import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { startHookServer } from '@roost/agents/hooks/server';
import { createApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import type { AskVerdict } from '@roost/protocol/ask';
import { projectId, ruleId, sessionId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import { createBindings } from '@roost/runner/observed/bindings';
import { routeLaunch } from '@roost/runner/observed/route-launch';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { describe, expect, it } from 'vitest';
import { askThrough, type Door, type HookCall, type Seen } from '../rigs/agents/hook-agent.ts';
import { FORWARDER } from '../rigs/agents/observed-launch.ts';
import { readStored } from '../rigs/runner/engine-rig.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTestEngine } from '../rigs/runner/test-engine.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

type Gate = HookCall['gate'];
type Scenario = (door: Door, gate: Gate) => Promise<Seen>;

const DOC = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'gate-outcomes.md');
const PAYLOAD = { hook_event_name: 'PermissionRequest', session_id: 'n1', tool_name: 'Bash', tool_input: { command: 'make' } };
const LEA = { name: 'lea', face: 'test' };
/** The agent's timeout for an HTTP hook, and the forwarder's for Roost: both far shorter than a person needs. */
const IMPATIENT = { http: { timeoutMs: 2_000 }, forwarder: { deadlineMs: 1_500 } };

const SCENARIOS: Record<string, Scenario> = {
	'the runner is dead': async (door, gate) => {
		await using runner = await startRunnerProcess();
		const hooks = await openLaunch(runner, gate);
		await runner.kill();
		return await askThrough(door, { hooks, gate, payload: PAYLOAD });
	},
	'the runner hangs': async (door, gate) => {
		await using runner = await startRunnerProcess();
		const hooks = await openLaunch(runner, gate);
		runner.program.signal('SIGSTOP');
		const seen = await askThrough(door, { hooks, gate, payload: PAYLOAD, ...IMPATIENT[door] });
		runner.program.signal('SIGCONT');
		return seen;
	},
	'the runner is slow': async (door, gate) => {
		await using runner = await startRunnerProcess();
		const hooks = await openLaunch(runner, gate);
		runner.program.signal('SIGSTOP');
		setTimeout(() => runner.program.signal('SIGCONT'), 800);
		return await askThrough(door, { hooks, gate, payload: PAYLOAD });
	},
	'the disk is full, and a rule allows': onFullDisk('allow'),
	'the disk is full, and a rule denies': onFullDisk('deny'),
	'the forwarder may not be executed': async (door, gate) => {
		await using gateWorld = await openGate(gate);
		await using temp = await createTempDir();
		const script = join(temp.path, 'forwarder');
		copyFileSync(FORWARDER.script, script);
		chmodSync(script, 0o600);
		return await askThrough(door, { ...gateWorld.call, command: [script] });
	},
	'node is missing': async (door, gate) => {
		await using gateWorld = await openGate(gate);
		return await askThrough(door, { ...gateWorld.call, command: ['/nonexistent/node', FORWARDER.script, 'PermissionRequest'] });
	},
	'the reply is garbage': async (door, gate) => {
		await using garbage = await openGarbage();
		return await askThrough(door, { hooks: garbage.hooks, gate, payload: PAYLOAD });
	},
	'the request is oversize': async (door, gate) => {
		await using gateWorld = await openGate(gate, { rules: [rule('allow')] });
		const payload = { ...PAYLOAD, tool_input: { command: 'x'.repeat(9 * 1024 * 1024) } };
		return await askThrough(door, { ...gateWorld.call, payload });
	},
	'nobody answers in time': async (door, gate) => {
		await using gateWorld = await openGate(gate, { askTimeoutMs: 100 });
		return await askThrough(door, gateWorld.call);
	},
	'an answer comes too late': async (door, gate) => {
		await using gateWorld = await openGate(gate, { askTimeoutMs: 100 });
		const seen = await askThrough(door, gateWorld.call);
		await gateWorld.isDecided();
		const before = gateWorld.decisions();
		expect(await gateWorld.answer({ type: 'allow' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
		expect(gateWorld.decisions()).toEqual(before);
		return seen;
	},
	'two people answer, the first allows': answeredTwice({ type: 'allow' }, { type: 'deny', message: 'no' }),
	'two people answer, the first denies': answeredTwice({ type: 'deny', message: 'no' }, { type: 'allow' }),
};

describe('gate outcomes', () => {
	it.each(readTable())('when %s, over %s: %s in observe mode, %s in enforce mode', { timeout: 120_000 }, async (...row) => {
		const [name, door, observed, enforced] = row;
		const scenario = SCENARIOS[name];
		if (!scenario) throw new Error(`nothing is done for "${name}"`);
		const seen = await Promise.all([scenario(door, 'observe'), scenario(door, 'enforce')]);
		expect(seen.map(wordFor)).toEqual([observed, enforced]);
	});

	it('are documented for every scenario', () => {
		expect(new Set(readTable().map(([name]) => name))).toEqual(new Set(Object.keys(SCENARIOS)));
	});
});

type Row = [name: string, door: Door, observed: string, enforced: string];

function readTable(): Row[] {
	const lines = readFileSync(DOC, 'utf8').split('\n');
	return lines.flatMap((line): Row[] => {
		const [name, door, observed, enforced] = line
			.split('|')
			.map((cell) => cell.trim())
			.slice(1, -1);
		return name && (door === 'http' || door === 'forwarder') && observed && enforced ? [[name, door, observed, enforced]] : [];
	});
}

function wordFor({ saw }: Seen): string {
	return { allow: 'allowed', deny: 'refused', nothing: 'no opinion', failed: 'hook fails' }[saw];
}

function onFullDisk(decision: 'allow' | 'deny'): Scenario {
	return async (door, gate) => {
		const full: Store = {
			...createMemoryStore(),
			append: async () => err(new AppError('store_unavailable', 'The disk is full: free some space.')),
		};
		await using gateWorld = await openGate(gate, { store: full, rules: [rule(decision)] });
		return await askThrough(door, gateWorld.call);
	};
}

function answeredTwice(first: AskVerdict, second: AskVerdict): Scenario {
	return async (door, gate) => {
		await using gateWorld = await openGate(gate);
		const seen = askThrough(door, gateWorld.call);
		await gateWorld.isAsked();
		expect(await gateWorld.answer(first)).toMatchObject({ ok: true });
		expect(await gateWorld.answer(second)).toMatchObject({ ok: false, error: { code: 'conflict' } });
		expect(gateWorld.decisions()).toHaveLength(1);
		return await seen;
	};
}

type GateOptions = { store?: Store; rules?: Rule[]; askTimeoutMs?: number };

/** A real hook server and engine in this process, around a store of the test's choice. */
async function openGate(gate: Gate, { store = createMemoryStore(), rules, askTimeoutMs }: GateOptions = {}) {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const engine = stack.use(createTestEngine({ store, rules, askTimeoutMs, summarise: async () => [] }));
	const server = stack.use(unwrap(await startHookServer({ runDir: temp.path, now: Date.now, newId: randomUUID })));
	const launch = server.openLaunch({ gate, protocol: CLAUDE_HOOK_PROTOCOL });
	const first = sessionId.parse('gate');
	stack.use(
		routeLaunch({
			engine,
			bindings: createBindings({ holders: engine.holders, holder: { isAlive: () => true }, first, newSessionId: () => first }),
			runtime: launch.runtime,
			project: { id: projectId.parse(temp.path), path: temp.path },
			gate,
			now: Date.now,
			onProblem: (message) => expect.fail(message),
		}),
	);
	launch.runtime.start();
	const hooks = { httpUrl: server.httpUrl, socketPath: server.socketPath, secret: launch.secret };
	const owned = stack.move();
	const askWhere = (found: () => boolean, what: string) => waitFor(() => (found() ? true : undefined), { what });
	const decisions = () => readStored(store, first).filter(({ event }) => event.kind === 'permission.decision');
	return {
		call: { hooks, gate, payload: PAYLOAD },
		decisions,
		isAsked: () => askWhere(() => engine.asks.list({}).length > 0, 'the ask'),
		isDecided: () => askWhere(() => decisions().length > 0, 'its end'),
		async answer(verdict: AskVerdict) {
			const [ask] = engine.asks.list({ all: true });
			if (!ask) throw new Error('nothing was asked');
			return await engine.answer(ask.id, verdict, LEA);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** A launch of a real runner, with a rule that allows everything. */
async function openLaunch(runner: Awaited<ReturnType<typeof startRunnerProcess>>, gate: Gate): Promise<HookCall['hooks']> {
	const { url: baseUrl, token } = runner;
	const api = createApiClient({ baseUrl, token, face: 'test', fetch });
	unwrap(await api.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user', scopeId: 'user' }));
	return unwrap(await api.launches.open({ agent: 'claude', cwd: runner.folder, gate, headless: true, pid: runner.waiterPid }))
		.hooks;
}

/** A server in place of the runner that answers with garbage. */
async function openGarbage() {
	const temp = await createTempDir();
	const socketPath = join(temp.path, 'garbage.sock');
	const http = createHttpServer((_request, response) =>
		response.writeHead(200, { 'content-type': 'application/json' }).end('garbage'),
	);
	const socket = createServer((caller) => {
		caller.on('error', () => {});
		caller.on('data', () => caller.write('garbage\n'));
	});
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	await new Promise<void>((resolve) => socket.listen(socketPath, resolve));
	const address = http.address();
	if (typeof address !== 'object' || !address) throw new Error('no port');
	return {
		hooks: { httpUrl: `http://127.0.0.1:${address.port}/hook`, socketPath, secret: 'secret' },
		async [Symbol.asyncDispose]() {
			http.closeAllConnections();
			http.close();
			socket.close();
			await temp[Symbol.asyncDispose]();
		},
	};
}

function rule(decision: Rule['decision']): Rule {
	return { id: ruleId.parse('r1'), tool: 'Bash', decision, scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 0 };
}
