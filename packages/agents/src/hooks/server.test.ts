import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { CLAUDE_HOOK_PROTOCOL } from '../claude/hooks/decision-mapper.ts';
import { startHookServer } from './server.ts';

const bash = {
	hook_event_name: 'PreToolUse',
	session_id: 's1',
	cwd: '/p',
	transcript_path: '/t.jsonl',
	tool_name: 'Bash',
	tool_input: { command: 'ls' },
	tool_use_id: 'tu1',
};
const permission = { ...bash, hook_event_name: 'PermissionRequest', tool_use_id: undefined };

describe('hook server over HTTP and socket', () => {
	it('returns 204 over HTTP if no decision is needed', async () => {
		await using rig = await openHookRig();
		const response = await rig.post({ ...bash, hook_event_name: 'PostToolUse' });
		expect(response.status).toBe(204);
		expect(await response.text()).toBe('');
		expect(rig.events).toMatchObject([{ hookName: 'PostToolUse', sessionId: 's1', toolName: 'Bash', toolUseId: 'tu1' }]);
		expect(rig.decisions).toEqual([]);
	});

	it('returns a passthrough envelope on the socket if no decision is needed', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		client.send(rig.envelope('r1', 'Notification'));
		expect(await client.next()).toEqual({ request_id: 'r1', ts: 1000, payload: { action: 'passthrough' } });
		expect(rig.events).toMatchObject([{ id: 'r1', hookName: 'Notification' }]);
	});

	it('keeps a PermissionRequest pending until it is decided', async () => {
		await using rig = await openHookRig();
		const answer = rig.post(permission);
		await waitForLength(rig.events, 1);
		const id = rig.events[0]?.id ?? '';
		rig.launch.runtime.sendDecision(id, { verdict: { type: 'allow' }, source: 'user' });
		const response = await answer;
		expect(response.status).toBe(200);
		expect(await response.json()).toEqual({
			hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
		});
		expect(rig.decisions).toMatchObject([{ eventId: id, decision: { source: 'user' } }]);
	});

	it('answers requests of one connection in the order in which they are decided', async () => {
		await using rig = await openHookRig();
		await using client = await rig.connect();
		for (const id of ['a', 'b', 'c']) client.send(rig.envelope(id, 'PermissionRequest', permission));
		await waitForLength(rig.events, 3);
		for (const id of ['c', 'a', 'b']) {
			rig.launch.runtime.sendDecision(id, { verdict: { type: 'deny', message: id }, source: 'user' });
			expect(await client.next()).toMatchObject({
				request_id: id,
				payload: { action: 'json_output', stdout_json: { hookSpecificOutput: { decision: { behavior: 'deny', message: id } } } },
			});
		}
	});

	it('returns no decision at the deadline in observe mode', async () => {
		await using rig = await openHookRig();
		const answer = rig.post(bash);
		await waitForLength(rig.events, 1);
		rig.timers.advance(4000);
		expect((await answer).status).toBe(204);
		expect(rig.decisions).toMatchObject([{ decision: { verdict: { type: 'none' }, source: 'timeout' } }]);
	});

	it('denies at the deadline in enforce mode', async () => {
		await using rig = await openHookRig({ gate: 'enforce' });
		const answer = rig.post(bash);
		await waitForLength(rig.events, 1);
		rig.timers.advance(4000);
		expect(await (await answer).json()).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'nobody answered in time' },
		});
		expect(rig.decisions).toMatchObject([{ decision: { verdict: { type: 'deny' }, source: 'timeout' } }]);
	});

	it('answers according to the gate mode if the runtime has not been started', async () => {
		await using observed = await openHookRig({ start: false });
		expect((await observed.post(bash)).status).toBe(204);
		await using enforced = await openHookRig({ start: false, gate: 'enforce' });
		expect(await (await enforced.post(bash)).json()).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(enforced.events).toEqual([]);
	});

	it('settles the request of an HTTP client that disconnects', async () => {
		await using rig = await openHookRig();
		const gone = new AbortController();
		const answer = rig.post(permission, { signal: gone.signal }).catch(() => 'aborted');
		await waitForLength(rig.events, 1);
		gone.abort();
		expect(await answer).toBe('aborted');
		await waitForLength(rig.decisions, 1);
		expect(rig.decisions[0]?.decision).toEqual({
			verdict: { type: 'none' },
			source: 'system',
			reason: 'the agent stopped waiting',
		});
		expect(rig.timers.waiting()).toBe(0);
	});

	it('settles all requests of a socket client that disconnects', async () => {
		await using rig = await openHookRig();
		const client = await rig.connect();
		for (const id of ['a', 'b']) client.send(rig.envelope(id, 'PermissionRequest', permission));
		await waitForLength(rig.events, 2);
		await client.close();
		await waitForLength(rig.decisions, 2);
		expect(rig.decisions.map((entry) => entry.eventId)).toEqual(['a', 'b']);
		expect(rig.timers.waiting()).toBe(0);
	});

	it('keeps launches apart: a secret reports only for its own launch', async () => {
		await using rig = await openHookRig();
		const other = rig.server.openLaunch({ gate: 'observe', protocol: CLAUDE_HOOK_PROTOCOL });
		const reported: string[] = [];
		other.runtime.onEvent((event) => reported.push(event.hookName));
		other.runtime.start();
		expect(other.secret).not.toBe(rig.launch.secret);
		await rig.post({ hook_event_name: 'Stop' }, { headers: { authorization: `Bearer ${other.secret}` } });
		expect(reported).toEqual(['Stop']);
		expect(rig.events).toEqual([]);
		other.close();
		expect((await rig.post(bash, { headers: { authorization: `Bearer ${other.secret}` } })).status).toBe(401);
	});
});

describe('hook server after a restart', () => {
	it('keeps its port and socket, and accepts a secret known only by its digest', async () => {
		await using temp = await createTempDir();
		const start = async (port?: number) =>
			unwrap(await startHookServer({ runDir: temp.path, port, now: Date.now, newId: randomUUID }));
		const before = await start();
		const { secret, digest } = before.openLaunch({ gate: 'observe', protocol: CLAUDE_HOOK_PROTOCOL });
		await before.close();
		await using after = await start(Number(new URL(before.httpUrl).port));
		expect([after.httpUrl, after.socketPath]).toEqual([before.httpUrl, before.socketPath]);
		const reported: string[] = [];
		const launch = after.resumeLaunch({ gate: 'observe', protocol: CLAUDE_HOOK_PROTOCOL, digest });
		launch.runtime.onEvent((event) => reported.push(event.hookName));
		launch.runtime.start();
		const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
		await fetch(after.httpUrl, { method: 'POST', headers, body: '{"hook_event_name":"Stop"}' });
		expect(reported).toEqual(['Stop']);
	});

	it('listens on another port if its own is taken', async () => {
		await using rig = await openHookRig();
		await using temp = await createTempDir();
		const taken = Number(new URL(rig.server.httpUrl).port);
		await using other = unwrap(await startHookServer({ runDir: temp.path, port: taken, now: Date.now, newId: randomUUID }));
		expect(other.httpUrl).not.toBe(rig.server.httpUrl);
	});
});

describe('closing the hook server', () => {
	it('answers pending HTTP requests by gate mode, removes the socket, and is idempotent', async () => {
		await using rig = await openHookRig();
		const strict = rig.server.openLaunch({ gate: 'enforce', protocol: CLAUDE_HOOK_PROTOCOL });
		strict.runtime.onEvent((event) => rig.events.push(event));
		strict.runtime.start();
		const open = [rig.post(permission), rig.post(permission, { headers: { authorization: `Bearer ${strict.secret}` } })];
		await waitForLength(rig.events, 2);
		await using client = await rig.connect();
		client.send(rig.envelope('r1', 'PermissionRequest', permission));
		await waitForLength(rig.events, 3);
		await Promise.all([rig.server.close(), rig.server.close()]);
		const [observed, enforced] = await Promise.all(open);
		expect(observed?.status).toBe(204);
		expect(await enforced?.json()).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
		expect(await client.next()).toBeNull();
		await expect(stat(rig.server.socketPath)).rejects.toThrow('ENOENT');
		await expect(rig.post(bash)).rejects.toThrow();
	});
});
