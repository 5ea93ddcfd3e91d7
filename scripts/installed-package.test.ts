// Roost as a package: packed, installed by npm into a temporary prefix, and run without the repository.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { findProgram } from '@roost/machine/find-program';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '..');
const DEADLINE_MS = 120_000;
const PTY = '@lydell/node-pty';
const INSTALLED = [PTY, `${PTY}-${process.platform}-${process.arch}`, '@anthropic-ai/claude-agent-sdk'];

describe.skipIf(cannotRun([program('npm')]))('a Roost that npm installed', { timeout: 4 * DEADLINE_MS }, () => {
	it('runs without the repository, keeps agents out of its files, and names a missing Node', async () => {
		await using world = await openWorld();
		expect((await world.roost('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
		const demo = await world.roost('demo', '--plain', '--speed', '1000');
		expect(demo, demo.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Demo finished.') });
		const up = await world.roost('up', '--detach');
		expect(up, up.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('The runner is up at') });
		expect(await world.roost('status')).toMatchObject({ code: 0, stderr: '' });
		const doctor = await world.roost('doctor');
		expect(doctor, doctor.stdout + doctor.stderr).toMatchObject({ code: 0 });

		// Agents cannot write to the program, wherever it is installed.
		for (const file of ['dist/cli/start.js', 'roost', '.runtime/compile-cache/x', `node_modules/${PTY}/index.js`]) {
			const input = JSON.stringify({ file_path: join(world.folder, file), content: 'x' });
			const judged = await world.roost('rules', 'test', '--tool', 'Write', '--input', input);
			expect([file, judged.stdout]).toEqual([file, expect.stringMatching(/^deny, by rule builtin-program/)]);
		}
		for (const [command, rule] of [
			[`rm -rf ${world.folder}`, 'builtin-program'],
			[`node ${world.folder}/dist/cli/start.js allow x.1`, 'builtin-allow'],
		]) {
			const judged = await world.roost('rules', 'test', '--tool', 'Bash', '--input', JSON.stringify({ command }));
			expect([command, judged.stdout]).toEqual([command, expect.stringMatching(`^deny, by rule ${rule}`)]);
		}
		expect(await world.roost('down')).toMatchObject({ code: 0, stdout: expect.stringContaining('is down') });

		expect(await world.roost('install')).toEqual(
			expect.objectContaining({
				code: 0,
				stderr: '',
				stdout: `npm installed roost, and it is on your PATH already: ${world.command}\n`,
			}),
		);
		expect(readdirSync(world.home)).toEqual([]);

		world.env.PATH = world.withoutNode();
		expect(await world.roost('--version')).toMatchObject({
			code: 3,
			stdout: '',
			stderr: 'roost: Node.js 24 or newer is required and was not found. Install it, then retry.\n',
		});
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir()).path;
	const [prefix, home] = [join(temp, 'prefix'), join(temp, 'home')];
	const registry = stack.use(await startNpmRegistry(join(REPOSITORY, 'node_modules'), INSTALLED, join(temp, 'archives')));
	const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', temp]));
	const install = ['install', '--global', '--prefix', prefix, '--registry', registry.url, '--cache', join(temp, 'cache')];
	await using installed = await startProgram([findProgram('npm', process.env) ?? '', ...install, join(temp, packed.filename)], {
		cwd: temp,
		env: { PATH: process.env.PATH ?? '', HOME: temp },
	});
	expect(await installed.waitForExit(DEADLINE_MS)).toMatchObject({ code: 0 });
	const folder = realpathSync(join(prefix, 'lib', 'node_modules', 'roost'));
	mkdirSync(home);
	const env: Record<string, string> = {
		PATH: [join(prefix, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
		HOME: home,
		ROOST_HOME: join(temp, 'roost'),
		ROOST_PORT: '0',
	};
	const command = join(prefix, 'bin', 'roost');
	async function roost(...args: string[]) {
		await using program = await startProgram([command, ...args], { cwd: home, env });
		return await program.waitForExit(DEADLINE_MS);
	}
	stack.defer(async () => void (await roost('down')));
	const owned = stack.move();
	return {
		folder,
		home,
		env,
		command,
		roost,
		/** A PATH with only the programs that the launcher needs. */
		withoutNode() {
			const bin = join(temp, 'bin');
			mkdirSync(bin);
			for (const name of ['bash', 'readlink']) symlinkSync(findProgram(name, process.env) ?? '', join(bin, name));
			return bin;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function npm(args: readonly string[]): string {
	return execFileSync(findProgram('npm', process.env) ?? '', args, {
		cwd: REPOSITORY,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
}

type NpmRegistry = AsyncDisposable & { readonly url: string };

type Manifest = { name: string; version: string; optionalDependencies?: Record<string, string> };

/** An npm registry that serves the packages installed here. `modules`: the folder that the packages are installed in; `temp`: where their archives are made. */
async function startNpmRegistry(modules: string, names: readonly string[], temp: string): Promise<NpmRegistry> {
	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? '').slice(1);
		const name = names.find((each) => path === each || path === `${each}.tgz`);
		if (name === undefined) response.writeHead(404).end('{}');
		else if (path === name) response.end(JSON.stringify(describePackage(join(modules, name), names, `${url}/${name}.tgz`)));
		else response.end(pack(join(modules, name), join(temp, name)));
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function describePackage(folder: string, names: readonly string[], tarball: string): object {
	const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const { name, version, optionalDependencies = {} } = manifest;
	const optional = Object.fromEntries(Object.entries(optionalDependencies).filter(([each]) => names.includes(each)));
	const described = { name, version, optionalDependencies: optional, dist: { tarball } };
	return { name, 'dist-tags': { latest: version }, versions: { [version]: described } };
}

/** As npm packs it: everything below a folder called `package`. */
function pack(folder: string, temp: string): Buffer {
	mkdirSync(temp, { recursive: true });
	symlinkSync(folder, join(temp, 'package'));
	return execFileSync('tar', ['-chzf', '-', '-C', temp, 'package'], { maxBuffer: 2 ** 28 });
}
