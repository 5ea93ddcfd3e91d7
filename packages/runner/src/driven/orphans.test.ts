import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity } from '@roost/machine/process-identity';
import { sessionId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createOrphans } from './orphans.ts';

const SESSION = sessionId.parse('abc');

describe('processes of agents whose runner was killed', () => {
	it('are killed by the next runner', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper();
		open(temp.path).note(SESSION, agent.pid);
		const next = open(temp.path);
		await next.endAll();
		expect(await agent.ended).toMatch(/^SIG(HUP|TERM)$/);
		expect(readdirSync(temp.path)).toEqual([]);
	});

	it.runIf(process.platform === 'linux')('are killed even outside the process tree of their agent, but no others', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper();
		await using command = sleeper({ ROOST_SESSION: 'abc' });
		await using others = sleeper({ ROOST_SESSION: 'abcd', OTHER: 'ROOST_SESSION=abc' });
		open(temp.path).note(SESSION, agent.pid);
		await open(temp.path).endAll();
		expect(await command.ended).toMatch(/^SIG(HUP|TERM)$/);
		expect(others.isAlive()).toBe(true);
		await using later = sleeper({ ROOST_SESSION: 'abc' });
		await open(temp.path).endAll();
		expect(later.isAlive()).toBe(true);
	});

	it('are listed for their session while they are running', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper();
		await using other = sleeper();
		const orphans = open(temp.path);
		orphans.note(SESSION, agent.pid);
		orphans.note(sessionId.parse('other'), other.pid);
		expect(orphans.pidsOf(SESSION)).toEqual([agent.pid]);
		process.kill(agent.pid, 'SIGKILL');
		await agent.ended;
		expect(orphans.pidsOf(SESSION)).toEqual([]);
	});

	it('are not killed because of a malformed file or another start time', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper();
		const other = { sessionId: 'x', processes: [{ pid: agent.pid, startTime: 'before the flood' }] };
		writeFileSync(join(temp.path, 'agent-x.json'), JSON.stringify(other), { mode: 0o600 });
		writeFileSync(join(temp.path, 'agent-y.json'), '{"half', { mode: 0o600 });
		await open(temp.path).endAll();
		expect(agent.isAlive()).toBe(true);
		expect(readdirSync(temp.path)).toEqual([]);
	});
});

describe('processes of an agent that is ending', () => {
	it('are awaited, and processes that its commands left behind keep running', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper();
		await using server = sleeper({ ROOST_SESSION: 'abc' });
		const orphans = open(temp.path);
		orphans.note(SESSION, agent.pid);
		const gone = orphans.leave(SESSION, 60_000);
		process.kill(agent.pid, 'SIGTERM');
		await gone;
		expect(orphans.pidsOf(SESSION)).toEqual([]);
		expect(server.isAlive()).toBe(true);
		expect(readdirSync(temp.path)).toEqual([]);
	});

	it.runIf(process.platform === 'linux')('are killed at the deadline with its commands, but no others', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper({}, STUBBORN_WITH_COMMAND);
		await using strayed = sleeper({ ROOST_SESSION: 'abc' });
		await using others = sleeper({ ROOST_SESSION: 'abcd' });
		const command = Number(await agent.firstLine);
		const orphans = open(temp.path);
		orphans.note(SESSION, agent.pid);
		await orphans.leave(SESSION, 0);
		expect([await agent.ended, await strayed.ended]).toEqual(['SIGKILL', expect.stringMatching(/^SIG(HUP|TERM)$/)]);
		expect(readIdentity(command)).toBeNull();
		expect(others.isAlive()).toBe(true);
		expect(readdirSync(temp.path)).toEqual([]);
	});

	it('are killed even if only a launcher exited', async () => {
		await using temp = await createTempDir();
		await using agent = sleeper({}, STARTS_COMMAND);
		const command = Number(await agent.firstLine);
		const orphans = open(temp.path);
		orphans.note(SESSION, agent.pid);
		const gone = orphans.leave(SESSION, 500);
		process.kill(agent.pid, 'SIGKILL');
		await gone;
		expect(readIdentity(command)).toBeNull();
	});
});

const SLEEP = 'setInterval(() => {}, 60_000);';
/** Its command has its own process group; the first line is the pid. */
const STARTS_COMMAND = `
	const { spawn } = require('node:child_process');
	const command = spawn(process.execPath, ['-e', '${SLEEP}'], { stdio: 'ignore', detached: true });
	console.log(command.pid);
	${SLEEP}`;
const STUBBORN_WITH_COMMAND = `for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => {}); ${STARTS_COMMAND}`;

function open(runDir: string) {
	return createOrphans(runDir, (sentence) => expect.fail(sentence));
}

function sleeper(env: Record<string, string> = {}, script = SLEEP) {
	const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true, env });
	const { pid } = child;
	if (pid === undefined) throw new Error('it did not start');
	const ended = once(child, 'exit').then(([, signal]) => signal);
	return {
		pid,
		ended,
		firstLine: once(child.stdout, 'data').then(String),
		isAlive: () => child.exitCode === null && child.signalCode === null,
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
