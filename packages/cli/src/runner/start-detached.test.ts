import {
	existsSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureHome, resolveHome } from '@roost/home/home';
import { readRunnerFile } from '@roost/home/runner-file';
import { endProcess } from '@roost/machine/end-process';
import { isSame, readIdentity } from '@roost/machine/process-identity';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { startDetached } from './start-detached.ts';

describe('detached runner', () => {
	it('is up when the start returns, and exits when stopped', async () => {
		await using world = await createWorld();
		const running = unwrap(await world.start());
		expect(unwrap(readRunnerFile(world.home))).toEqual(running);
		expect(running).toMatchObject({ port: 3100, version: '0.1.0' });
		expect(unwrap(await endProcess(running))).toBe('stopped');
		expect(unwrap(readRunnerFile(world.home))).toBeNull();
	});

	it('is not started a second time', async () => {
		await using world = await createWorld();
		const first = unwrap(await world.start());
		// Starting a runner opens the log, which fails if that is a link.
		rmSync(world.logPath);
		symlinkSync('/dev/null', world.logPath);
		expect(unwrap(await world.start())).toEqual(first);
	});

	it('is started once by concurrent starts, and all of them find it', async () => {
		await using world = await createWorld({ slowMs: 300 });
		const found = await Promise.all(Array.from({ length: 4 }, () => world.start()));
		const pids = new Set(found.map((result) => unwrap(result).pid));
		expect(pids.size).toBe(1);
		expect(world.log().match(/up \d+/g)).toEqual([`up ${[...pids][0]}`]);
		// The losing processes may still be starting when the winner is found.
		await waitFor(() => world.log().match(/store_busy/g)?.length === 3 || undefined, {
			what: 'three processes to lose the race',
			seen: () => world.log(),
		});
	});

	it('replaces one that was killed', async () => {
		await using world = await createWorld();
		const first = unwrap(await world.start());
		process.kill(first.pid, 'SIGKILL');
		await waitFor(() => !isSame(first) || undefined, { what: 'the first to be gone' });
		const second = unwrap(await world.start());
		expect(second.pid).not.toBe(first.pid);
		expect(isSame(second)).toBe(true);
	});

	it('waits for one that is still ending, and then starts', async () => {
		await using world = await createWorld();
		const holds = `import { takeWriterLock } from ${JSON.stringify(import.meta.resolve('@roost/store/writer-lock'))};
			process.stdout.write(String(takeWriterLock(process.argv[1]).ok));
			setInterval(() => {}, 1e6);`;
		const argv = [...world.argv.slice(0, -1), holds, world.home.database];
		await using ending = await startProgram([process.execPath, ...argv.slice(1)], { cwd: world.path, env: {} });
		await waitFor(() => ending.output().stdout === 'true' || undefined, {
			what: 'the lock',
			seen: ending.output,
		});
		const started = world.start();
		await waitFor(() => world.log().includes('store_busy') || undefined, { what: 'the first try to fail' });
		await ending.kill();
		expect(isSame(unwrap(await started))).toBe(true);
	});

	it('appends its output to a private log, regardless of the umask', async () => {
		await using world = await createWorld();
		writeFileSync(world.logPath, 'older\n', { mode: 0o644 });
		const before = process.umask(0);
		try {
			unwrap(await world.start());
		} finally {
			process.umask(before);
		}
		expect(world.log()).toMatch(/^older\nup \d+\n$/);
		expect(statSync(world.logPath).mode & 0o777).toBe(0o600);
	});

	it('is not started when its log is a symlink', async () => {
		await using world = await createWorld();
		symlinkSync(join(world.path, 'elsewhere'), world.logPath);
		expect(unwrapError(await world.start())).toMatchObject({ code: 'unsafe_path' });
		expect(readdirSync(world.path)).not.toContain('elsewhere');
	});

	it('reports its own last lines of output when it fails', async () => {
		await using world = await createWorld();
		writeFileSync(world.logPath, 'an older grief\n', { mode: 0o600 });
		const script = "for (let n = 1; n <= 30; n++) console.error('grief ' + n); process.exitCode = 3;";
		const error = unwrapError(await world.start({ argv: [process.execPath, '--eval', script] }));
		expect(error).toMatchObject({ code: 'cannot_start', message: expect.stringContaining('it ended with code 3. Output:\n') });
		expect(error.message.split('\n').slice(1)).toEqual(Array.from({ length: 10 }, (_, at) => `grief ${at + 21}`));
		const short = unwrapError(await world.start({ argv: [process.execPath, '--eval', "console.error('one more')"] }));
		expect(short.message).toBe('The runner did not start: it ended with code 0. Output:\none more');
	});

	it('reports a program that cannot be run', async () => {
		await using world = await createWorld();
		const error = unwrapError(await world.start({ argv: ['/no/such/program'] }));
		expect(error).toMatchObject({ code: 'cannot_start', message: expect.stringContaining('ENOENT') });
	});

	it('is killed, not asked to end, if it is not up in time', async () => {
		await using world = await createWorld();
		// A shell prints its first line quickly, even on a busy machine.
		const script = `trap 'echo ended in order; exit 0' TERM; echo "thinking $$"; while :; do sleep 1; done`;
		const error = unwrapError(await world.start({ argv: ['/bin/sh', '-c', script], deadlineMs: 3_000 }));
		expect(error).toMatchObject({
			code: 'timed_out',
			message: expect.stringMatching(/it was not up in time\. Output:\nthinking \d+/),
		});
		expect(readIdentity(Number(/thinking (\d+)/.exec(error.message)?.[1]))).toBeNull();
		expect(world.log()).not.toContain('ended in order');
	});
});

describe.runIf(process.platform === 'linux')('detached runner and the command that started it', () => {
	it('share no descriptor, session or directory, and the runner outlives the command', async () => {
		await using world = await createWorld();
		// The shell passes on an open file without the close-on-exec flag.
		const held = join(world.path, 'held');
		const script = `import { startDetached } from ${JSON.stringify(import.meta.resolve('./start-detached.ts'))};
			const { home, argv } = JSON.parse(process.argv[1]);
			const started = await startDetached({ home, argv, env: process.env });
			process.stdout.write(JSON.stringify(started));`;
		const node = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script, JSON.stringify(world)];
		const argv = ['sh', '-c', 'exec 7>"$0"; exec "$@"', held, ...node] as const;
		await using starter = await startProgram(argv, { cwd: world.path, env: { PATH: process.env.PATH ?? '' } });
		const exit = await starter.waitForExit(60_000);
		const running = unwrap(readRunnerFile(world.home));
		expect(JSON.parse(exit.stdout)).toEqual({ ok: true, value: running });
		expect(running && isSame(running)).toBe(true);

		const pid = running?.pid ?? 0;
		const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
		expect(readdirSync(world.path)).toContain('held');
		expect(open).not.toContain(held);
		const outputs = [0, 1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
		expect(outputs).toEqual(['/dev/null', world.logPath, world.logPath]);
		expect(realpathSync(`/proc/${pid}/cwd`)).toBe(world.home.data);
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
		expect(Number(session)).toBe(pid);
	});
});

/** A home with a minimal runner: it takes the record's lock like the real one, writes the runner file, and exits on request. */
async function createWorld({ slowMs = 0 } = {}) {
	const temp = await createTempDir();
	const home = unwrap(resolveHome({ ROOST_HOME: join(temp.path, 'home') }));
	unwrap(ensureHome(home));
	const logPath = join(home.data, 'runner.log');
	const script = `import { takeWriterLock } from ${JSON.stringify(import.meta.resolve('@roost/store/writer-lock'))};
		import { writeRunnerFile } from ${JSON.stringify(import.meta.resolve('@roost/home/runner-file'))};
		import { setTimeout } from 'node:timers/promises';
		const home = ${JSON.stringify(home)};
		const lock = takeWriterLock(home.database);
		if (!lock.ok) { console.error(lock.error.code); process.exit(3); }
		await setTimeout(${slowMs});
		console.log('up ' + process.pid);
		writeRunnerFile(home, { port: 3100, version: '0.1.0', startedAt: Date.now() });
		const alive = setInterval(() => {}, 1e6);
		process.on('SIGTERM', () => clearInterval(alive));`;
	const argv: [string, ...string[]] = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script];
	const start = (options: { argv?: [string, ...string[]]; deadlineMs?: number } = {}) =>
		startDetached({ home, argv, env: { PATH: process.env.PATH }, ...options });
	return {
		path: temp.path,
		home,
		argv,
		logPath,
		log: () => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : ''),
		start,
		async [Symbol.asyncDispose]() {
			const running = unwrap(readRunnerFile(home));
			if (running) unwrap(await endProcess(running));
			await temp[Symbol.asyncDispose]();
		},
	};
}
