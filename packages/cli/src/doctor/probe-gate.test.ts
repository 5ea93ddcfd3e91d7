import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { mapDecisionToResult } from '@roost/agents/claude/hooks/decision-mapper';
import type { ApiClient } from '@roost/client/api-client';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { AppError } from '@roost/protocol/app-error';
import { projectId, sessionId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { probeGate } from './probe-gate.ts';

const DENY = { verdict: { type: 'deny', message: 'no' }, source: 'rule' } as const;
const PASS = { verdict: { type: 'none' }, source: 'rule' } as const;

const ROW: SessionRow = {
	id: sessionId.parse('s1'),
	agent: 'claude',
	status: 'idle',
	projectId: projectId.parse('/p'),
	projectPath: '/p',
	nativeIds: [],
	title: '',
	startedAt: 1,
	lastEventAt: 1,
	events: 1,
};

describe('gate probe', () => {
	it('passes for a gate that denies and rejects a wrong secret, and cleans up', async () => {
		await using world = await openWorld();
		world.rig.launch.runtime.onEvent((event) => world.rig.launch.runtime.sendDecision(event.id, DENY));
		expect(await world.probe()).toMatchObject([{ state: 'ok' }]);
		const [began, called] = world.rig.events;
		expect(began).toMatchObject({ hookName: 'SessionStart', context: { cwd: join(world.home.data, 'probe') } });
		expect(called).toMatchObject({ hookName: 'PreToolUse', sessionId: began?.sessionId, toolName: 'Read' });
		expect(JSON.stringify(called?.payload)).toContain(join(world.home.data, 'token'));
		expect(world.ended).toEqual(['l1']);
		expect(readdirSync(world.home.run).filter((name) => name.endsWith('.json'))).toEqual([]);
	});

	it('fails when the gate lets the call through', async () => {
		await using world = await openWorld();
		world.rig.launch.runtime.onEvent((event) => world.rig.launch.runtime.sendDecision(event.id, PASS));
		expect(await world.probe()).toMatchObject([
			{
				state: 'fail',
				says: expect.stringContaining('silence, as if it were allowed'),
				remedy: expect.stringContaining('--enforce'),
			},
		]);
		expect(world.ended).toEqual(['l1']);
	});

	it.each([
		['with a denial for any secret', 200, denial(), 'a wrong secret was answered with a denial'],
		['with a body that claude does not understand', 200, '{"ok":true}', 'something that the agent would not understand'],
		['with an error', 500, 'broken', 'something that the agent would not understand (500 broken)'],
		['with an empty response', 204, '', 'silence, as if it were allowed'],
	])('fails when the endpoint answers %s', async (_how, status, body, says) => {
		await using world = await openWorld();
		await using door = await openDoor(status, body);
		expect(await world.probe({ httpUrl: door.url })).toMatchObject([{ state: 'fail', says: expect.stringContaining(says) }]);
	});

	it('fails when the forwarder does not reach the runner', async () => {
		await using world = await openWorld();
		expect(await world.probe({ socketPath: join(world.home.run, 'nobody.sock') })).toMatchObject([
			{ state: 'fail', says: 'the beginning of a session did not reach the record' },
		]);
	});

	it('fails when the endpoint is closed, or no launch can be opened', async () => {
		await using world = await openWorld();
		const closed = await openDoor(200, '');
		await closed[Symbol.asyncDispose]();
		expect(await world.probe({ httpUrl: closed.url })).toMatchObject([
			{ state: 'fail', says: expect.stringContaining('could not be fired') },
		]);
		const open = async () => err(new AppError('cannot_start', 'no room'));
		expect(await world.probe({}, open)).toMatchObject([{ state: 'fail', says: 'no launch could be opened: no room' }]);
		expect(existsSync(join(world.home.data, 'probe'))).toBe(true);
	});
});

/** A hook server whose launch is probed, with parts of it replaced if necessary. */
async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const home = { data: temp.path, run: unwrap(ensurePrivateDirectory(join(temp.path, 'run'))) };
	const rig = stack.use(await openHookRig({ gate: 'enforce' }));
	const ended: string[] = [];
	const hooks = { httpUrl: rig.server.httpUrl, socketPath: rig.server.socketPath, secret: rig.launch.secret };
	const owned = stack.move();
	return {
		home,
		rig,
		ended,
		probe(other: Partial<typeof hooks> = {}, open?: ApiClient['launches']['open']) {
			const opened = { launchId: 'l1', sessionId: sessionId.parse('s1'), hooks: { ...hooks, ...other } };
			const launches = {
				open: open ?? (async () => ok(opened)),
				async end({ id }: { id: string }) {
					ended.push(id);
					return ok({ sessionId: null });
				},
			};
			const session = async () =>
				rig.events.length > 0
					? ok({ ...ROW, driving: { takesPrompts: true } as const })
					: err(new AppError('not_found', 'no such session'));
			return probeGate({ env: process.env, home, launches, record: { session } });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function openDoor(status: number, body: string) {
	const server = createServer((request, response) => {
		request.resume().on('end', () => response.writeHead(status, { connection: 'close' }).end(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return {
		url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
		[Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

/** The denial of the real hook server, in claude's own format. */
function denial(): string {
	const result = mapDecisionToResult(
		{
			id: 'x',
			timestamp: 0,
			hookName: 'PreToolUse',
			sessionId: 's',
			context: { cwd: '', transcriptPath: '' },
			interaction: { expectsDecision: true },
			payload: { tool_name: 'Bash', tool_input: {} },
		},
		DENY,
	);
	return JSON.stringify('stdout_json' in result ? result.stdout_json : null);
}
