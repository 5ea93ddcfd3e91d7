import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { describe, expect, it } from 'vitest';
import { CLAUDE_HOOK_PROTOCOL } from '../claude/hooks/decision-mapper.ts';
import { createProjectTarget, digestOf } from './hook-targets.ts';
import { createReportRuntime } from './launch-runtime.ts';

const SECRET = 'secret-of-the-project';
const DENY = { verdict: { type: 'deny', message: 'no' }, source: 'rule' } as const;

/** A server with one installed project, and all reports of its sessions. */
async function openProjectRig() {
	const rig = await openHookRig();
	const events: RuntimeEvent[] = [];
	const open: string[] = [];
	let installed = true;
	const openSession = (nativeId: string, runtime: Runtime) => {
		open.push(nativeId);
		runtime.onEvent((event) => {
			events.push(event);
			runtime.sendDecision(event.id, DENY);
		});
		return { [Symbol.dispose]: () => void open.splice(open.indexOf(nativeId), 1) };
	};
	const reports = { protocol: CLAUDE_HOOK_PROTOCOL, openSession };
	rig.server.serveProjects((digest) => (installed && digest === digestOf(SECRET) ? reports : undefined));
	const client = await rig.connect();
	let requests = 0;
	return {
		rig,
		events,
		open,
		uninstall: () => {
			installed = false;
		},
		async report(hookName: string, sessionId: string, secret = SECRET) {
			client.send({ ...rig.envelope(`r${++requests}`, hookName, { cwd: '/p' }), secret, session_id: sessionId });
			return await client.next();
		},
		async [Symbol.asyncDispose]() {
			await client.close();
			await rig[Symbol.asyncDispose]();
		},
	};
}

describe('reports of an installed project', () => {
	it('are passed through, whatever is decided', async () => {
		await using world = await openProjectRig();
		for (const hook of ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'NeverHeardOf'])
			expect(await world.report(hook, 'n1')).toMatchObject({ payload: { action: 'passthrough' } });
		const reported = world.events.filter((event) => event.hookName !== 'RuntimeError');
		expect(reported).toHaveLength(5);
		expect(reported.every((event) => !event.interaction.expectsDecision)).toBe(true);
	});

	it('share one runtime per native session, which is closed when the session ends', async () => {
		await using world = await openProjectRig();
		await world.report('SessionStart', 'n1');
		await world.report('SessionStart', 'n2');
		await world.report('PostToolUse', 'n1');
		expect(world.open).toEqual(['n1', 'n2']);
		await world.report('SessionEnd', 'n1');
		expect(world.open).toEqual(['n2']);
		expect(world.events.map((event) => [event.hookName, event.sessionId])).toContainEqual(['SessionEnd', 'n1']);
	});

	it('are rejected as soon as the project is uninstalled', async () => {
		await using world = await openProjectRig();
		await world.report('SessionStart', 'n1');
		world.uninstall();
		expect(await world.report('PostToolUse', 'n1')).toMatchObject({ error: { code: 'unauthorized' } });
		expect(world.open).toEqual([]);
		expect(world.events.map((event) => event.hookName)).not.toContain('PostToolUse');
	});

	it('are rejected with an unknown secret', async () => {
		await using world = await openProjectRig();
		expect(await world.report('SessionStart', 'n1', 'another')).toMatchObject({ error: { code: 'unauthorized' } });
		expect(world.rig.refused).toHaveLength(1);
	});

	it('are passed through without a session if the session id is missing or too long', async () => {
		await using world = await openProjectRig();
		for (const id of ['', 'x'.repeat(201)])
			expect(await world.report('SessionStart', id)).toMatchObject({ payload: { action: 'passthrough' } });
		expect(world.open).toEqual([]);
	});

	it('are tracked for a limited number of sessions, dropping the least recently active', () => {
		const open = new Set<string>();
		const openSession = (nativeId: string) => {
			open.add(nativeId);
			return { [Symbol.dispose]: () => void open.delete(nativeId) };
		};
		const timers = { after: () => () => {} };
		const createRuntime = () => createReportRuntime({ protocol: CLAUDE_HOOK_PROTOCOL, timers, now: () => 0, newId: () => 'x' });
		const target = createProjectTarget({ openSession }, createRuntime, 2);
		for (const [index, id] of ['a', 'b', 'a', 'c'].entries())
			target.accept({ request_id: `r${index}`, ts: 0, session_id: id, hook_event_name: 'Notification', payload: {} }, () => {});
		expect([...open]).toEqual(['a', 'c']);
	});
});
