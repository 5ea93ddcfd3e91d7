import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { testedFile } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { mapDecisionToResult, mapEnvelopeToRuntimeEvent } from '../claude/hooks/decision-mapper.ts';

const FORWARDER = testedFile('forwarder');

type Outcome = { code: number | null; stdout: string; stderr: string };
type Run = { hook?: string; gate?: GateMode; env?: Record<string, string>; stdin?: string | null; args?: string[] };

/** Runs the real file; `stdin: null` never ends it. */
function forward(run: Run): Promise<Outcome> {
	const { hook = 'PreToolUse', gate = 'observe', env = {} } = run;
	const input = run.stdin === undefined ? `${JSON.stringify({ hook_event_name: hook, session_id: 's1' })}\n` : run.stdin;
	const child = spawn(process.execPath, [FORWARDER, ...(run.args ?? [hook])], {
		env: { ROOST_HOOK_SOCKET: '/nonexistent/x.sock', ROOST_HOOK_SECRET: 'secret', ROOST_HOOK_GATE: gate, ...env },
		detached: true,
	});
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk) => {
		stdout += chunk;
	});
	child.stderr.on('data', (chunk) => {
		stderr += chunk;
	});
	// A forwarder that gave up no longer reads.
	child.stdin.on('error', () => {});
	if (input === null) child.stdin.write('{"hook_event_name":');
	else child.stdin.end(input);
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const silent: Outcome = { code: 0, stdout: '', stderr: '' };

function refused(outcome: Outcome): unknown {
	expect(outcome).toMatchObject({ code: 0, stderr: '' });
	return JSON.parse(outcome.stdout);
}

const DENIED = {
	hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: expect.any(String) },
};

function newSocketPath(): string {
	return join(tmpdir(), `roost-fake-${process.pid}-${Math.random().toString(36).slice(2)}.sock`);
}

/** A runner whose behaviour the test scripts. */
async function openFakeRunner(onLine: (socket: Socket, requestId: string) => void, path = newSocketPath()) {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let text = '';
		socket.on('error', () => {});
		socket.on('data', (chunk) => {
			text += chunk;
			if (text.endsWith('\n')) onLine(socket, JSON.parse(text).request_id);
		});
	});
	await new Promise<void>((resolve) => server.listen(path, resolve));
	return {
		env: { ROOST_HOOK_SOCKET: path },
		close: () => server.close(),
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await rm(path, { force: true });
		},
	};
}

const allow = (id: string) => {
	const stdout_json = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
	return `${JSON.stringify({ request_id: id, ts: 1, payload: { action: 'json_output', stdout_json } })}\n`;
};

describe('forwarder', () => {
	it('prints only the decision of Roost', async () => {
		await using rig = await openHookRig();
		const env = { ROOST_HOOK_SOCKET: rig.server.socketPath, ROOST_HOOK_SECRET: rig.launch.secret };
		const outcome = forward({ env, hook: 'PermissionRequest' });
		await waitForLength(rig.events, 1);
		expect(rig.events[0]).toMatchObject({ hookName: 'PermissionRequest', sessionId: 's1', payload: { session_id: 's1' } });
		rig.launch.runtime.sendDecision(rig.events[0]?.id ?? '', { verdict: { type: 'allow' }, source: 'user' });
		expect(refused(await outcome)).toEqual({
			hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
		});
	});

	it('is silent when no decision is needed', async () => {
		await using rig = await openHookRig();
		const env = { ROOST_HOOK_SOCKET: rig.server.socketPath, ROOST_HOOK_SECRET: rig.launch.secret };
		expect(await forward({ env, hook: 'SessionStart', gate: 'enforce' })).toEqual(silent);
		expect(rig.events).toMatchObject([{ hookName: 'SessionStart' }]);
	});
});

describe('forwarder failures', () => {
	const lateCases: [string, (socket: Socket, requestId: string) => void][] = [
		['the runner hangs', () => {}],
		['the runner is slower than the deadline', (socket, id) => void setTimeout(() => socket.write(allow(id)), 5000).unref()],
	];

	it.each(lateCases)('is silent in observe mode and denies in enforce mode when %s', async (_name, onLine) => {
		await using runner = await openFakeRunner(onLine);
		const env = { ...runner.env, ROOST_HOOK_DEADLINE_MS: '700' };
		const [observed, enforced] = await Promise.all([forward({ env }), forward({ env, gate: 'enforce' })]);
		expect(observed).toEqual(silent);
		expect(refused(enforced)).toEqual(DENIED);
	});

	const badReplies: [string, (socket: Socket, requestId: string) => void][] = [
		['the runner hangs up', (socket) => socket.end()],
		['the reply is garbage', (socket) => socket.write('garbage\n')],
		[
			'the reply is an error',
			(socket, id) => socket.write(`${JSON.stringify({ request_id: id, error: { code: 'internal', message: 'x' } })}\n`),
		],
		['the reply is for another request', (socket) => socket.write(allow('other'))],
		['the reply never ends', (socket) => socket.write('x'.repeat(9 * 1024 * 1024))],
		['the reply is half a line', (socket, id) => socket.end(allow(id).slice(0, -20))],
	];

	// The deadline is far away: each problem is noticed before it.
	it.each(badReplies)('is silent in observe mode and denies in enforce mode when %s', async (_name, onLine) => {
		await using runner = await openFakeRunner(onLine);
		const [observed, enforced] = await Promise.all([forward({ env: runner.env }), forward({ env: runner.env, gate: 'enforce' })]);
		expect(observed).toEqual(silent);
		expect(refused(enforced)).toEqual(DENIED);
	});

	it.each<[string, Run]>([
		['the runner is dead', {}],
		['the socket may not be used', { env: { ROOST_HOOK_SOCKET: '/' } }],
		['there is no secret', { env: { ROOST_HOOK_SECRET: '' } }],
		['there is no socket', { env: { ROOST_HOOK_SOCKET: '' } }],
		['the input is not JSON', { stdin: 'nonsense' }],
		['the input is empty', { stdin: '' }],
		['the input never ends', { stdin: null, env: { ROOST_HOOK_DEADLINE_MS: '300' } }],
	])('is silent in observe mode and denies in enforce mode when %s', async (_name, run) => {
		expect(await forward(run)).toEqual(silent);
		expect(refused(await forward({ ...run, gate: 'enforce' }))).toEqual(DENIED);
	});

	it('is silent in observe mode and denies in enforce mode when the input is too long', async () => {
		await using runner = await openFakeRunner((socket, id) => socket.write(allow(id)));
		const stdin = JSON.stringify({ hook_event_name: 'PreToolUse', text: 'x'.repeat(9 * 1024 * 1024) });
		expect(await forward({ env: runner.env, stdin })).toEqual(silent);
		expect(refused(await forward({ env: runner.env, stdin, gate: 'enforce' }))).toEqual(DENIED);
	});

	it('uses the first response when the runner answers twice', async () => {
		await using runner = await openFakeRunner((socket, id) => socket.write(`${allow(id)}${allow(id).replace('allow', 'deny')}`));
		expect(refused(await forward({ env: runner.env }))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
	});

	it('denies with the same output as the server, and only for hooks that can deny', async () => {
		for (const hook of ['PreToolUse', 'PermissionRequest', 'Stop', 'SessionStart']) {
			const { stdout } = await forward({ hook, gate: 'enforce' });
			const event = mapEnvelopeToRuntimeEvent({ request_id: 'r', ts: 1, session_id: 's', hook_event_name: hook, payload: {} });
			const reason = 'Roost could not decide (Roost is not running), and this session requires its decision';
			const message = mapDecisionToResult(event, { verdict: { type: 'deny', message: reason }, source: 'system', reason });
			const gating = hook === 'PreToolUse' || hook === 'PermissionRequest';
			expect(stdout).toBe(gating && message.action === 'json_output' ? JSON.stringify(message.stdout_json) : '');
		}
	});

	it('reads the hook name from its input if no argument names it', async () => {
		expect(refused(await forward({ gate: 'enforce', args: [] }))).toEqual(DENIED);
	});
});

describe('forwarder whose runner is killed before it responds', () => {
	it.each(['observe', 'enforce'] as const)('retries the same request with the next runner (%s)', async (gate) => {
		const asked: string[] = [];
		await using runner = await openFakeRunner((socket, id) => {
			asked.push(id);
			if (asked.length < 3) socket.destroy();
			else socket.write(allow(id));
		});
		expect(refused(await forward({ env: runner.env, gate }))).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'allow' },
		});
		expect(asked).toHaveLength(3);
		expect(new Set(asked).size).toBe(1);
	});

	it('waits until a runner listens again', async () => {
		const path = newSocketPath();
		const asked: string[] = [];
		const first = await openFakeRunner((socket, id) => {
			asked.push(id);
			socket.destroy();
			first.close();
		}, path);
		const outcome = forward({ env: first.env, gate: 'enforce' });
		await waitForLength(asked, 1);
		await first[Symbol.asyncDispose]();
		await using _second = await openFakeRunner((socket, id) => {
			asked.push(id);
			socket.write(allow(id));
		}, path);
		expect(refused(await outcome)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
		expect(asked[1]).toBe(asked[0]);
	});

	it('retries while a restarted runner does not know the secret yet', async () => {
		let asked = 0;
		await using runner = await openFakeRunner((socket, id) => {
			asked += 1;
			if (asked === 1) socket.destroy();
			else if (asked === 2)
				socket.write(`${JSON.stringify({ request_id: id, error: { code: 'unauthorized', message: 'x' } })}\n`);
			else socket.write(allow(id));
		});
		expect(refused(await forward({ env: runner.env }))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
	});

	it('denies at its own deadline in enforce mode if no runner comes back', async () => {
		const first = await openFakeRunner((socket) => {
			first.close();
			socket.destroy();
		});
		const outcome = await forward({ env: { ...first.env, ROOST_HOOK_DEADLINE_MS: '900' }, gate: 'enforce' });
		await first[Symbol.asyncDispose]();
		expect(refused(outcome)).toEqual(DENIED);
		expect(outcome.stdout).toContain('nobody answered in time');
	});

	it('does not retry a hook that needs no decision', async () => {
		const asked: string[] = [];
		await using runner = await openFakeRunner((socket, id) => {
			asked.push(id);
			socket.destroy();
		});
		expect(await forward({ env: runner.env, hook: 'SessionStart', gate: 'enforce' })).toEqual(silent);
		expect(asked).toHaveLength(1);
	});
});

describe('forwarder as an installed project hook', () => {
	/** Hostile on purpose: an installed hook ignores Roost's variables. */
	const env = { ROOST_HOOK_SECRET: '', ROOST_HOOK_GATE: 'enforce', ROOST_HOOK_SOCKET: '/nonexistent/other.sock' };

	async function installed(rig: { server: { socketPath: string }; launch: { secret: string } }) {
		const directory = await createTempDir();
		const secretFile = join(directory.path, 'project.secret');
		await writeFile(secretFile, `${rig.launch.secret}\n`, { mode: 0o600 });
		const args = ['PreToolUse', '--roost-managed', '--socket', rig.server.socketPath, '--secret-file', secretFile];
		return { args, secretFile, [Symbol.asyncDispose]: directory[Symbol.asyncDispose] };
	}

	it('reports using only its arguments and prints the decision of Roost', async () => {
		await using rig = await openHookRig();
		await using hook = await installed(rig);
		const outcome = forward({ env, args: hook.args });
		await waitForLength(rig.events, 1);
		const verdict = { type: 'deny', message: 'no' } as const;
		rig.launch.runtime.sendDecision(rig.events[0]?.id ?? '', { verdict, source: 'rule' });
		expect(refused(await outcome)).toEqual(DENIED);
	});

	it('exits without reading or reporting in a session that Roost launched', async () => {
		await using rig = await openHookRig();
		await using hook = await installed(rig);
		const launched = { ...env, ROOST_HOOK_SECRET: rig.launch.secret, ROOST_HOOK_SOCKET: rig.server.socketPath };
		expect(await forward({ env: launched, args: hook.args, stdin: null })).toEqual(silent);
		expect(rig.events).toEqual([]);
	});

	it.each<[string, (args: string[]) => string[]]>([
		['the secret file is missing', (args) => args.with(-1, '/nonexistent/x.secret')],
		['the secret file is a directory', (args) => args.with(-1, '/')],
		['no secret file is named', (args) => args.slice(0, -1)],
		['no socket is named', (args) => [...args.slice(0, 2), ...args.slice(4)]],
		['the runner is dead', (args) => args.with(3, '/nonexistent/x.sock')],
	])('is silent when %s, whatever gate mode the environment sets', async (_name, change) => {
		await using rig = await openHookRig();
		await using hook = await installed(rig);
		expect(await forward({ env, args: change(hook.args) })).toEqual(silent);
		expect(rig.events).toEqual([]);
	});

	it('is silent when the secret is rejected', async () => {
		await using rig = await openHookRig();
		await using hook = await installed(rig);
		await writeFile(hook.secretFile, 'another');
		expect(await forward({ env, args: hook.args })).toEqual(silent);
		expect(rig.refused).toMatchObject([{ code: 'unauthorized' }]);
	});
});
