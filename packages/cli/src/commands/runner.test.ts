// The runner as a process, as users run it.
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('the runner', () => {
	it('starts, is found, and stops without leaving anything behind', async () => {
		await using world = await emptyHome();
		expect((await world.roost('status')).stdout).toContain('No runner is up');
		expect(await world.roost('up', '--detach')).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('The runner is up at http://127.0.0.1:'),
		});
		const { pid } = await world.status();
		expect(await isRunning(pid)).toBe(true);
		expect(await world.roost('down')).toMatchObject({ code: 0, stdout: expect.stringContaining(`process ${pid}`) });
		expect(await isRunning(pid)).toBe(false);
		expect(await world.status()).toBeNull();
		expect(await world.roost('down')).toMatchObject({ code: 0, stdout: 'No runner is up.\n' });
	});

	it('runs once per home, and a second start names the running process', async () => {
		await using world = await emptyHome();
		await world.roost('up', '--detach');
		const { pid } = await world.status();
		expect(await world.roost('up')).toMatchObject({ code: 3, stderr: expect.stringContaining(`process ${pid}`) });
	});

	it.each([[[]], [['--detach']]])('fails when the given port is in use: up %j', async (how) => {
		await using world = await emptyHome();
		await using taken = await takePort();
		const port = String(taken.port);
		expect(await world.roost('up', ...how, '--port', port)).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				new RegExp(
					`Cannot listen on 127.0.0.1:${port}: another program uses this port. Choose another port with "roost up --port <n>"`,
				),
			),
		});
		expect(await world.status()).toBeNull();
	});

	it('listens on the given port in the background, and reports if it is already up', async () => {
		await using world = await emptyHome();
		const free = await takePort();
		await free[Symbol.asyncDispose]();
		expect(await world.roost('up', '--detach', '--port', String(free.port))).toMatchObject({ code: 0 });
		expect(await world.status()).toMatchObject({ port: free.port });
		expect(await world.roost('up', '--detach', '--port', '1')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining(`The runner is already up on port ${free.port}. Run "roost down" first`),
		});
	});

	it('is started only once by two concurrent commands', async () => {
		await using world = await emptyHome();
		const both = await Promise.all([world.roost('rules', '--json'), world.roost('rules', '--json')]);
		expect(both).toMatchObject([
			{ code: 0, stdout: '[]\n' },
			{ code: 0, stdout: '[]\n' },
		]);
	});

	it('is not reported as up after it was killed, and can be started again', async () => {
		await using world = await emptyHome();
		await world.roost('up', '--detach');
		const { pid } = await world.status();
		process.kill(pid, 'SIGKILL');
		await waitFor(async () => ((await isRunning(pid)) ? undefined : true), { what: 'the runner to be gone' });
		expect(await world.status()).toBeNull();
		expect(await world.roost('up', '--detach')).toMatchObject({ code: 0 });
		expect((await world.status()).pid).not.toBe(pid);
	});

	it('keeps its rules after a kill, and the record verifies', async () => {
		await using world = await emptyHome();
		const added = JSON.parse(
			(await world.roost('rules', 'add', 'deny', 'Bash', '--pattern', 'rm *', '--scope', 'user', '--json')).stdout,
		);
		process.kill((await world.status()).pid, 'SIGKILL');
		expect(JSON.parse((await world.roost('rules', '--json')).stdout)).toEqual([{ ...added, appliesHere: true }]);
		expect(await world.roost('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('The record is intact.') });
		expect((await world.roost('rules', 'test', '--tool', 'Bash', '--input', '{"command":"ls && rm x"}')).stdout).toContain(
			`deny, by rule ${added.id}`,
		);
		expect(await world.roost('rules', 'remove', added.id)).toMatchObject({ code: 0 });
		expect(await world.roost('rules', 'remove', added.id)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('not found. Run "roost rules"'),
		});
	});

	it('exits with code 0 on SIGTERM', async () => {
		await using world = await emptyHome();
		await using program = await startProgram(roostArgv('up'), { cwd: world.path, env: world.env });
		await waitFor(() => (program.output().stdout.includes('is up at') ? true : undefined), {
			what: 'the runner',
			seen: () => program.output(),
		});
		program.signal('SIGTERM');
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stderr: '' });
	});

	it('creates links that register a browser, and prints one when started in the background', async () => {
		await using world = await emptyHome();
		expect(await world.roost('status', '--link')).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('roost up --detach'),
		});
		const started = await world.roost('up', '--detach');
		const links = [started.stdout, (await world.roost('status', '--link')).stdout].map(
			(text) => /http:\S+#ticket=\S+/.exec(text)?.[0],
		);
		const { link } = JSON.parse((await world.roost('status', '--link', '--json')).stdout);
		for (const url of [...links, link.url]) {
			const { port, hash } = new URL(url ?? '');
			await registerTestDevice(Number(port), hash.replace('#ticket=', ''));
		}
		const log = readFileSync(join(world.env.ROOST_HOME, 'runner.log'), 'utf8');
		expect(log).toContain('the runner is up');
		expect(log).not.toContain('ticket');
	});

	it('creates no link for an agent', async () => {
		await using world = await emptyHome();
		await world.roost('up', '--detach');
		const asked = await world.roostAs({ ROOST_SESSION: 'k3f9' }, 'status', '--link');
		expect(asked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Agents cannot do this') });
	});

	it('logs JSON lines with --json-logs, without a link', async () => {
		await using world = await emptyHome();
		await using program = await startProgram(roostArgv('up', '--json-logs'), { cwd: world.path, env: world.env });
		await waitFor(() => (program.output().stdout.includes('is up at') ? true : undefined), {
			what: 'the runner',
			seen: () => program.output(),
		});
		program.signal('SIGHUP');
		const { code, stdout } = await program.waitForExit(60_000);
		expect(code).toBe(0);
		expect(
			stdout
				.trim()
				.split('\n')
				.map((line) => JSON.parse(line)),
		).toMatchObject([
			{ level: 'info', msg: expect.stringContaining('the runner is up at http://127.0.0.1:') },
			{ level: 'info', msg: 'the runner has ended', code: 0 },
		]);
	});

	it('starts a new log when the old one is too large', async () => {
		await using world = await emptyHome();
		await world.roost('status');
		const log = join(world.env.ROOST_HOME, 'runner.log');
		writeFileSync(log, 'x'.repeat(5 * 1024 * 1024 + 1), { mode: 0o600 });
		await world.roost('up', '--detach');
		expect(readFileSync(log, 'utf8').length).toBeLessThan(1_000);
		expect(statSync(`${log}.1`)).toMatchObject({ size: 5 * 1024 * 1024 + 1 });
	});

	it('rotates its log while it runs in the background', async () => {
		await using world = await emptyHome();
		await world.roost('status');
		const log = join(world.env.ROOST_HOME, 'runner.log');
		const full = 'x'.repeat(5 * 1024 * 1024);
		writeFileSync(log, full, { mode: 0o600 });
		await world.roost('up', '--detach');
		const older = await waitFor(() => (existsSync(`${log}.1`) ? readFileSync(`${log}.1`, 'utf8') : undefined), {
			what: 'the rotated log',
			seen: () => statSync(log).size,
		});
		expect(older.slice(full.length)).toContain('the runner is up');
		await world.roost('down');
		expect(readFileSync(log, 'utf8')).toMatch(/^\S+ {2}the runner has ended {2}code=0\n$/);
		expect(statSync(`${log}.1`).mode & 0o777).toBe(0o600);
	});

	it('shows its token neither in its log nor in its status', async () => {
		await using world = await emptyHome();
		await world.roost('up', '--detach');
		await world.roost('rules');
		const token = readFileSync(join(world.env.ROOST_HOME, 'token'), 'utf8').trim();
		expect(token.length).toBeGreaterThanOrEqual(43);
		expect(readFileSync(join(world.env.ROOST_HOME, 'runner.log'), 'utf8')).not.toContain(token);
		expect((await world.roost('status', '--json')).stdout).not.toContain(token);
	});

	it('names the invalid configuration key', async () => {
		await using world = await emptyHome();
		await world.roost('status');
		writeFileSync(join(world.env.ROOST_HOME, 'config.yaml'), 'runner:\n  port: many\n', { mode: 0o600 });
		expect(await world.roost('up')).toMatchObject({ code: 2, stderr: expect.stringContaining('runner.port') });
	});

	it('warns that it still uses the old configuration until it is restarted', async () => {
		await using world = await emptyHome();
		await world.roost('up', '--detach');
		expect(await world.roost('asks')).toMatchObject({ code: 0, stderr: '' });
		const config = join(world.env.ROOST_HOME, 'config.yaml');
		writeFileSync(config, 'gate: {mode: enforce}\n', { mode: 0o600 });
		const reported =
			/^roost: config\.yaml changed, but the runner still uses the old one\. Restart it with "[^"]+ down" and "[^"]+ up --detach"\.\n$/;
		expect(await world.roost('asks')).toMatchObject({ code: 0, stderr: expect.stringMatching(reported) });
		expect(await world.roost('asks', '--json')).toMatchObject({ code: 0, stderr: '' });
		expect(await world.roost('down')).toMatchObject({ code: 0, stderr: '' });
		await world.roost('up', '--detach');
		writeFileSync(config, '# the same\ngate:\n  mode: enforce\n', { mode: 0o600 });
		expect(await world.roost('asks')).toMatchObject({ code: 0, stderr: '' });
	});

	it.each([
		[['allow', 'nope'], 1, 'Request "nope" not found'],
		[['deny', 'nope'], 1, 'Request "nope" not found'],
		[['answer', 'nope', '--set', 'a=b'], 1, 'Request "nope" not found'],
		[['answer', 'nope'], 2, '--set "Question=Answer"'],
		[['allow', 'nope', '--always', 'ever'], 2, '--always takes session, project or user'],
		[['allow', 'nope', '--pattern', 'x'], 2, '--pattern needs --always or --for'],
		[['allow', 'nope', '--for', 'a while'], 2, '--for takes a duration such as 30m'],
		[['rules', 'add', 'allow', 'Bash', '--for', '0m'], 2, '--for takes a duration such as 30m'],
		[['allow', 'nope', '--input', '[]'], 2, '--input takes the whole edited input'],
		[['rules', 'add', 'maybe', 'Bash'], 2, 'allow, deny or ask'],
		[['rules', 'add', 'deny', 'Bash', '--scope', 'world'], 2, '--scope takes'],
		[['rules', 'test', '--tool', 'Bash', '--input', 'x'], 2, '--input takes the input'],
	] as const)('%j exits with code %i and a clear message', async (args, code, sentence) => {
		await using world = await emptyHome();
		expect(await world.roost(...args)).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
	});
});

async function emptyHome() {
	const temp = await createTempDir();
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: join(temp.path, 'roost') };
	const roostAs = async (more: Record<string, string>, ...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: temp.path, env: { ...env, ...more } });
		return await program.waitForExit(60_000);
	};
	const roost = (...args: string[]) => roostAs({}, ...args);
	return {
		path: temp.path,
		env,
		roost,
		roostAs,
		status: async () => JSON.parse((await roost('status', '--json')).stdout),
		async [Symbol.asyncDispose]() {
			await roost('down', '--force');
			await temp[Symbol.asyncDispose]();
		},
	};
}

/** A port that another program listens on. */
async function takePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const close = async () => {
		if (!server.listening) return;
		server.close();
		await once(server, 'close');
	};
	return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}
