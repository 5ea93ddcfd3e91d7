import { startProgram } from '@roost/testkit/rigs/program';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { isSame, readIdentity, readProcStart, readPsStart, UNKNOWN_START } from './process-identity.ts';

const FOREVER = [process.execPath, '--eval', 'setInterval(() => {}, 1e6)'] as const;
const options = { cwd: '/', env: {} };

describe('process identity', () => {
	it('stays the same while the process lives, and is gone afterwards', async () => {
		await using program = await startProgram(FOREVER, options);
		const identity = readIdentity(program.pid);
		if (!identity) throw new Error('it lives');
		expect(identity).toEqual({ pid: program.pid, startTime: expect.stringMatching(/./) });
		expect(readIdentity(program.pid)).toEqual(identity);
		expect(isSame(identity)).toBe(true);
		await program.kill();
		expect(readIdentity(program.pid)).toBeNull();
		expect(isSame(identity)).toBe(false);
	});

	it('does not change with CPU usage', async () => {
		const script = "while (process.cpuUsage().user < 300_000); process.stdout.write('tired'); setInterval(() => {}, 1e6)";
		await using program = await startProgram([process.execPath, '--eval', script], options);
		const fresh = readIdentity(program.pid);
		await waitFor(() => program.output().stdout || undefined, { what: 'the work to be done' });
		expect(readIdentity(program.pid)).toEqual(fresh);
	});

	it('does not match a later process with the same pid', () => {
		const mine = readIdentity(process.pid);
		expect(mine && isSame(mine)).toBe(true);
		expect(isSame({ pid: process.pid, startTime: `${mine?.startTime}0` })).toBe(false);
	});

	it('is unknown if the system does not provide it, and then matches nothing', () => {
		const unknown = readIdentity(process.pid, [() => null]);
		expect(unknown).toEqual({ pid: process.pid, startTime: UNKNOWN_START });
		expect(unknown && isSame(unknown, [() => null])).toBe(false);
		expect(readIdentity(2 ** 22 + 1, [() => null])).toBeNull();
	});

	it.each([0, -1, 1.5, Number.NaN, 2 ** 60])('is null for the invalid pid %d', (pid) => {
		expect([readIdentity(pid), readIdentity(pid, [() => null])]).toEqual([null, null]);
	});

	it('differs from that of a process that started later', async () => {
		const script = "process.stdout.write('up'); setInterval(() => {}, 1e6)";
		await using first = await startProgram([process.execPath, '--eval', script], options);
		await waitFor(() => first.output().stdout || undefined, { what: 'the first to be up' });
		await using second = await startProgram(FOREVER, options);
		expect(readIdentity(second.pid)?.startTime).not.toBe(readIdentity(first.pid)?.startTime);
	});
});

describe.each([
	['proc', readProcStart],
	['ps', readPsStart],
] as const)('process start time from %s', (_name, read) => {
	it.runIf(process.platform === 'linux' || read === readPsStart)('is read for living processes only', async () => {
		await using program = await startProgram(FOREVER, options);
		const first = read(program.pid);
		expect(first).toEqual({ startTime: expect.stringMatching(/\d/) });
		expect(read(program.pid)).toEqual(first);
		await program.kill();
		expect(read(program.pid)).toBe('gone');
	});

	it.runIf(process.platform === 'linux')('treats a zombie as gone', async () => {
		// A shell that execs a program which does not know the shell's child, and so never reaps it.
		const script = `tail -f /dev/null & echo $!; exec "$0" --eval 'console.log("changed"); setInterval(() => {}, 1e6)'`;
		await using parent = await startProgram(['sh', '-c', script, process.execPath], { cwd: '/', env: { PATH: '/usr/bin:/bin' } });
		const pid = await waitFor(() => /^(\d+)\nchanged/.exec(parent.output().stdout)?.[1], {
			what: 'the child',
		});
		process.kill(Number(pid), 'SIGKILL');
		await waitFor(() => read(Number(pid)) === 'gone' || undefined, { what: 'its end' });
		expect(process.kill(Number(pid), 0)).toBe(true);
	});
});

it('does not depend on the time zone or the locale', async () => {
	await using program = await startProgram(FOREVER, options);
	const before = [process.env.TZ, process.env.LC_ALL];
	const first = readPsStart(program.pid);
	try {
		Object.assign(process.env, { TZ: 'Asia/Tokyo', LC_ALL: 'de_DE.UTF-8' });
		expect(readPsStart(program.pid)).toEqual(first);
	} finally {
		for (const [at, name] of ['TZ', 'LC_ALL'].entries()) {
			if (before[at] === undefined) delete process.env[name];
			else process.env[name] = before[at];
		}
	}
});

it.runIf(process.platform === 'linux')('parses the start time of a program whose name looks like fields', async () => {
	const script = `process.title = 'a) Z 1 1 (b'; setInterval(() => {}, 1e6); process.stdout.write('up')`;
	await using program = await startProgram([process.execPath, '--eval', script], options);
	await waitFor(() => program.output().stdout === 'up' || undefined, { what: 'the new name' });
	expect(readProcStart(program.pid)).toEqual({ startTime: expect.stringMatching(/^[0-9a-f-]{36}:\d+$/) });
});
