import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGate } from '@roost/testkit/fakes/gate';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { openClaudeTerminal } from '@roost/testkit/rigs/agents/claude-terminal';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { readStatusFile } from './status-file.ts';

const WAITING = { pid: process.pid, sessionId: 's-1', status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: 42 };

describe('status file', () => {
	it('contains status, wait reason and time', async () => {
		await using world = await createWorld();
		await world.write({ ...WAITING, kind: 'interactive', anything: [] });
		expect(await world.read()).toEqual({ status: 'waiting', waitingFor: 'permission prompt', sessionId: 's-1', at: 42 });
		await world.write({ ...WAITING, status: 'idle' });
		expect(await world.read()).toEqual({ status: 'idle', waitingFor: undefined, sessionId: 's-1', at: 42 });
	});

	it.each([
		['is missing', undefined],
		['is incomplete', JSON.stringify(WAITING).slice(0, 30)],
		['is empty', ''],
		['has another format', '[1]'],
		['holds an unknown status', JSON.stringify({ ...WAITING, status: 'dreaming' })],
		['holds no time', JSON.stringify({ ...WAITING, statusUpdatedAt: 'now' })],
		['belongs to another process', JSON.stringify({ ...WAITING, pid: 1 })],
		['was left by an earlier process with the same pid', JSON.stringify({ ...WAITING, procStart: '1' })],
	])('is ignored if it %s', async (_, text) => {
		await using world = await createWorld();
		if (text !== undefined) await world.write(text);
		expect(await world.read()).toBeNull();
	});

	it('is ignored if its process is dead', async () => {
		await using world = await createWorld();
		await using gone = await startProgram(['true'], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
		await gone.waitForExit(60_000);
		await world.write({ ...WAITING, pid: gone.pid }, gone.pid);
		expect(await world.read(gone.pid)).toBeNull();
	});

	it('is ignored if it cannot be read', async () => {
		await using world = await createWorld();
		await mkdir(join(world.path, 'sessions', `${process.pid}.json`));
		expect(await world.read()).toBeNull();
		await chmod(join(world.path, 'sessions'), 0o000);
		expect(await world.read()).toBeNull();
		await chmod(join(world.path, 'sessions'), 0o700);
	});
});

describe.skipIf(cannotRun([claude(), program('git'), program('tmux')]))('real claude', { timeout: 120_000 }, () => {
	it('reports idle, busy, waiting and idle again, and nothing after being killed', async () => {
		const gate = createGate();
		const slowly = message([say('I will ', 'make it.'), callTool('Bash', { command: 'touch made' })], { pace: { gate } });
		await using rig = await openClaudeRig({ script: scriptTurns(slowly, [say('Made it.')]) });
		await using tmux = await createTmuxRig();
		const user = await openClaudeTerminal(rig, tmux);
		const read = async () => (await readStatusFile(rig.configDir, user.terminal.pid)) ?? { status: 'nothing' as const };
		const until = (status: Awaited<ReturnType<typeof read>>['status']) =>
			waitFor(
				async () => {
					const now = await read();
					return now.status === status ? now : undefined;
				},
				{ what: `its file to say ${status}`, seen: read },
			);
		await until('idle');
		await user.prompt('make a file');
		await until('busy');
		gate.open();
		expect(await until('waiting')).toMatchObject({ waitingFor: 'permission prompt' });
		await user.terminal.waitForScreen(/❯ 1\. Yes/, 60_000);
		await user.answerDialog('Enter');
		await until('idle');
		await user.terminal.kill();
		await until('nothing');
	});
});

async function createWorld() {
	const temp = await createTempDir();
	const sessions = join(temp.path, 'sessions');
	await mkdir(sessions);
	return {
		path: temp.path,
		write: (content: unknown, pid = process.pid) =>
			writeFile(join(sessions, `${pid}.json`), typeof content === 'string' ? content : JSON.stringify(content)),
		read: (pid = process.pid) => readStatusFile(temp.path, pid),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
