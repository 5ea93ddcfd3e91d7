import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { readKilledPort, readRunnerFile, readRunnerState, removeRunnerFile, writeRunnerFile } from './runner-file.ts';

const FACTS = { port: 3100, version: '0.1.0', startedAt: 1_000 };

describe('runner file', () => {
	it('names the running runner, readable by its owner only, regardless of the umask', async () => {
		await using world = await createWorld();
		const before = process.umask(0);
		try {
			unwrap(writeRunnerFile(world, FACTS));
		} finally {
			process.umask(before);
		}
		expect(unwrap(readRunnerFile(world))).toEqual({ pid: process.pid, startTime: expect.any(String), ...FACTS });
		expect(statSync(world.file).mode & 0o777).toBe(0o600);
	});

	it('is null if there is none, and nothing is removed', async () => {
		await using world = await createWorld();
		expect(unwrap(readRunnerFile(world))).toBeNull();
		expect(unwrap(removeRunnerFile(world))).toBe(false);
	});

	it('is stale once its process was killed, and can then be removed', async () => {
		await using world = await createWorld();
		await using runner = await startRunnerIn(world);
		expect(unwrap(readRunnerFile(world))?.pid).toBe(runner.pid);
		runner.signal('SIGKILL');
		await runner.waitForExit(60_000);
		expect(existsSync(world.file)).toBe(true);
		expect(unwrap(readRunnerFile(world))).toBeNull();
		expect(unwrap(removeRunnerFile(world))).toBe(true);
		expect(existsSync(world.file)).toBe(false);
	});

	it('distinguishes a killed runner from an ended one, and keeps the port of the killed one', async () => {
		await using world = await createWorld();
		expect(unwrap(readRunnerState(world))).toBe('ended');
		await using runner = await startRunnerIn(world);
		expect([unwrap(readRunnerState(world)), readKilledPort(world)]).toEqual(['up', null]);
		runner.signal('SIGKILL');
		await runner.waitForExit(60_000);
		expect([unwrap(readRunnerState(world)), readKilledPort(world)]).toEqual(['killed', expect.any(Number)]);
		unwrap(removeRunnerFile(world));
		expect([unwrap(readRunnerState(world)), readKilledPort(world)]).toEqual(['ended', null]);
	});

	it('is not removed if it belongs to another live runner', async () => {
		await using world = await createWorld();
		await using runner = await startRunnerIn(world);
		expect(unwrap(removeRunnerFile(world))).toBe(false);
		expect(unwrap(readRunnerFile(world))?.pid).toBe(runner.pid);
	});

	it('is removed by its own runner', async () => {
		await using world = await createWorld();
		unwrap(writeRunnerFile(world, FACTS));
		expect(unwrap(removeRunnerFile(world))).toBe(true);
		expect(existsSync(world.file)).toBe(false);
	});

	it('is ignored if the start time does not match the process', async () => {
		await using world = await createWorld();
		const running = unwrap(writeRunnerFile(world, FACTS));
		writeFileSync(world.file, JSON.stringify({ ...running, startTime: `${running.startTime}1` }));
		expect(unwrap(readRunnerFile(world))).toBeNull();
		expect(unwrap(removeRunnerFile(world))).toBe(true);
	});

	const garbage = [
		'',
		'{',
		'null',
		'[]',
		'{"pid":1}',
		'\0\0\0',
		JSON.stringify({ ...FACTS, pid: -1, startTime: 'x' }),
		'x'.repeat(1e5),
	];
	it.each(garbage.map((text) => [text.slice(0, 20), text]))('is ignored if malformed: %j', async (_shown, text) => {
		await using world = await createWorld();
		writeFileSync(world.file, text, { mode: 0o600 });
		expect(unwrap(readRunnerFile(world))).toBeNull();
		expect(unwrap(removeRunnerFile(world))).toBe(true);
	});

	it('is not read or written through a planted symlink, and only the symlink is removed', async () => {
		await using world = await createWorld();
		const running = unwrap(writeRunnerFile(world, FACTS));
		const target = join(world.path, 'target');
		writeFileSync(target, JSON.stringify(running), { mode: 0o600 });
		unwrap(removeRunnerFile(world));
		symlinkSync(target, world.file);
		expect(unwrap(readRunnerFile(world))).toBeNull();
		expect(unwrap(removeRunnerFile(world))).toBe(true);
		symlinkSync(target, world.file);
		unwrap(writeRunnerFile(world, { ...FACTS, port: 4000 }));
		expect(lstatSync(world.file).isFile()).toBe(true);
		expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(running);
	});

	it('is ignored if it is a directory, and writing fails', async () => {
		await using world = await createWorld();
		mkdirSync(world.file);
		expect(unwrap(readRunnerFile(world))).toBeNull();
		expect(unwrapError(writeRunnerFile(world, FACTS)).message).toContain(world.file);
		expect(unwrapError(removeRunnerFile(world))).toMatchObject({ code: 'unsafe_path' });
	});

	it('is made private again when others could read it', async () => {
		await using world = await createWorld();
		unwrap(writeRunnerFile(world, FACTS));
		chmodSync(world.file, 0o644);
		expect(unwrap(readRunnerFile(world))?.pid).toBe(process.pid);
		expect(statSync(world.file).mode & 0o777).toBe(0o600);
	});
});

async function createWorld() {
	const temp = await createTempDir();
	return { ...temp, run: temp.path, file: join(temp.path, 'runner.json') };
}

/** A process that claims to be the runner. */
async function startRunnerIn({ run }: { run: string }) {
	const script = `import { writeRunnerFile } from ${JSON.stringify(import.meta.resolve('./runner-file.ts'))};
		const written = writeRunnerFile({ run: process.argv[1] }, ${JSON.stringify(FACTS)});
		process.stdout.write(String(written.ok));
		setInterval(() => {}, 1e6);`;
	const argv = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script, run] as const;
	const program = await startProgram(argv, { cwd: run, env: {} });
	await waitFor(() => program.output().stdout || undefined, { what: 'the runner', seen: program.output });
	return program;
}
