import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startScript } from '@roost/testkit/rigs/program';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { endProcess, endTree, treeOf } from './end-process.ts';
import { type Identity, isSame, readIdentity } from './process-identity.ts';

/** A process, its child and its grandchild, which each print their pid; if `stubborn`, all ignore SIGTERM. */
const FAMILY = `
	const { spawn } = require('node:child_process');
	if (process.argv[2] === 'stubborn') for (const signal of ['SIGHUP', 'SIGTERM']) process.on(signal, () => {});
	setInterval(() => {}, 60_000);
	console.log(process.pid);
	const left = Number(process.argv[1]);
	if (left > 0) spawn(process.execPath, ['-e', process.env.FAMILY, String(left - 1), process.argv[2]], { stdio: 'inherit', detached: true });
`;

describe('ending a process tree', () => {
	it('includes descendants of any depth and processes of the same terminal session only', () => {
		const relations = [
			{ pid: 12, parent: 11, session: 10 },
			{ pid: 11, parent: 10, session: 10 },
			{ pid: 13, parent: 1, session: 10 },
			{ pid: 14, parent: 12, session: 14 },
			{ pid: 20, parent: 1, session: 20 },
		];
		expect([...treeOf(10, relations)].sort()).toEqual([10, 11, 12, 13, 14]);
	});

	it.each(['willing', 'stubborn'])('ends processes in separate groups that are %s', async (nature) => {
		await using family = await raise(nature);
		expect(await endTree(family.eldest, { graceMs: 200 })).toBe(true);
		expect(family.members.filter((one) => isSame(one))).toEqual([]);
	});

	it('ends nothing if the pid was reused', async () => {
		await using family = await raise('willing');
		expect(await endTree({ ...family.eldest, startTime: 'long ago' })).toBe(true);
		expect(family.members.every((one) => isSame(one))).toBe(true);
	});
});

async function raise(nature: string) {
	const child = spawn(process.execPath, ['-e', FAMILY, '2', nature], { stdio: ['ignore', 'pipe', 'inherit'], env: { FAMILY } });
	const members: Identity[] = [];
	for await (const line of createInterface(child.stdout)) {
		const identity = readIdentity(Number(line));
		if (identity) members.push(identity);
		if (members.length === 3) break;
	}
	const eldest = members[0];
	if (!eldest) throw new Error('nobody was born');
	return {
		eldest,
		members,
		async [Symbol.asyncDispose]() {
			for (const one of members) if (isSame(one)) process.kill(one.pid, 'SIGKILL');
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		},
	};
}

const OBEYS = "process.on('SIGTERM', () => { process.stdout.write('drained'); process.exitCode = 0; clearInterval(alive); });";
const IGNORES = "process.on('SIGTERM', () => process.stdout.write('heard'));";

describe('ending one process', () => {
	it('stops it with SIGTERM, and returns when it is gone', async () => {
		await using program = await startScript(OBEYS);
		expect(unwrap(await endProcess(program.identity))).toBe('stopped');
		expect(readIdentity(program.pid)).toBeNull();
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stdout: 'updrained' });
	});

	it('kills a process that ignores SIGTERM after the grace period', async () => {
		await using program = await startScript(IGNORES);
		expect(unwrap(await endProcess(program.identity, { graceMs: 200 }))).toBe('killed');
		expect(readIdentity(program.pid)).toBeNull();
		expect(await program.waitForExit(60_000)).toMatchObject({ signal: 'SIGKILL', stdout: 'upheard' });
	});

	it('does nothing if it has already ended', async () => {
		await using program = await startScript('');
		await program.kill();
		expect(unwrap(await endProcess(program.identity))).toBe('gone');
	});

	it('never signals another process that reused its pid', async () => {
		await using program = await startScript(IGNORES);
		const earlier = { pid: program.pid, startTime: `${program.identity.startTime}0` };
		expect(unwrap(await endProcess(earlier, { graceMs: 1 }))).toBe('gone');
		expect(unwrap(await endProcess({ pid: program.pid, startTime: 'unknown' }, { graceMs: 1 }))).toBe('gone');
		expect(readIdentity(program.pid)).toEqual(program.identity);
		expect(program.output().stdout).toBe('up');
	});

	it('supports concurrent calls', async () => {
		await using program = await startScript(OBEYS);
		const outcomes = await Promise.all([endProcess(program.identity), endProcess(program.identity)]);
		expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, true]);
		expect(readIdentity(program.pid)).toBeNull();
	});
});
