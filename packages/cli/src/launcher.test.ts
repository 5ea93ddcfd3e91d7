// The launcher script as a user calls it: programs started by Roost have the user's own PATH, node and variables.
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { copyRoost } from '@roost/testkit/rigs/runner/roost-copy';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const AGENTS = ['claude', 'codex', 'copilot', 'pi'] as const;
const DEADLINE_MS = 120_000;
/** Variables that the launcher removes for Roost's own process. */
const LOADERS = { NODE_OPTIONS: '--no-deprecation', NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem', OPENSSL_CONF: '/etc/own.cnf' };

describe.skipIf(cannotRun([program('tmux')]))('programs started by the launcher', { timeout: 6 * DEADLINE_MS }, () => {
	it('get the environment of their own terminal if observed, and that of the runner otherwise', async () => {
		await using world = await openWorld();
		// The first command starts the runner, which keeps the environment of that terminal.
		const [first, second] = [world.terminal('first'), world.terminal('second')];
		for (const env of [first, second]) {
			for (const agent of AGENTS) {
				expect(await world.roost([agent, '-p', 'go'], env)).toMatchObject({ code: 0 });
				const found = await world.seen();
				expect(found).toMatchObject({ ...LOADERS, PATH: env.PATH, MINE: env.MINE, NODE_VERSION_SEEN: env.MINE });
				expect(added(found, env)).toEqual([
					'ROOST_HOOK_GATE',
					'ROOST_HOOK_SECRET',
					'ROOST_HOOK_SOCKET',
					'ROOST_HOOK_WAIT_MS',
					'ROOST_SESSION',
				]);
			}
		}

		for (const agent of AGENTS) {
			await world.roost(['run', '--agent', agent, 'go'], second);
			const driven = await world.seen();
			const { NODE_EXTRA_CA_CERTS } = LOADERS;
			expect(driven).toMatchObject({ PATH: first.PATH, HOME: first.HOME, NODE_VERSION_SEEN: 'first', NODE_EXTRA_CA_CERTS });
			const unknown = ['MINE', 'NODE_OPTIONS', 'OPENSSL_CONF', 'ROOST_HOME', 'ROOST_KEPT_NODE_OPTIONS'];
			expect([agent, unknown.filter((name) => name in driven)]).toEqual([agent, []]);
		}

		await using tmux = await createTmuxRig();
		await tmux.start([world.launcher, 'attach', '--new'], { cwd: world.folder, env: { ...second, TERM: 'xterm-256color' } });
		const inTerminal = await world.seen();
		expect(inTerminal).toMatchObject({ ...LOADERS, PATH: first.PATH, MINE: 'first', NODE_VERSION_SEEN: 'first' });
		expect(added(inTerminal, first)).toEqual(['COLORTERM', 'TERM']);
	});
});

/** Names of added variables, without those set by the program's own shell. */
function added(found: Record<string, string>, env: Record<string, string>): string[] {
	const OWN = ['PWD', 'OLDPWD', 'SHLVL', '_', 'NODE_VERSION_SEEN'];
	return Object.keys(found)
		.filter((name) => !(name in env) && !OWN.includes(name))
		.toSorted();
}

/** A user with two terminals, each with its own node and agents, and a clone of Roost with another node. */
async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const launcher = await copyRoost(join(folder, 'a clone'));
	const seenFile = join(folder, 'seen');
	const versions = `case $0 in *claude) echo '9.0.0 (Claude Code)';; *codex) echo 'codex-cli 9.0.0';; *copilot) echo 'Copilot CLI 9.0.0';; *) echo 9.0.0;; esac`;
	const recorder = `#!/bin/sh\n[ "$1" = --version ] && { ${versions}; exit 0; }\nNODE_VERSION_SEEN=$(node --version); export NODE_VERSION_SEEN\n/usr/bin/env -0 > '${seenFile}.part' && /bin/mv '${seenFile}.part' '${seenFile}'\n`;
	for (const terminal of ['first', 'second']) {
		const bin = join(folder, terminal);
		await mkdir(bin);
		await writeFile(join(bin, 'node'), `#!/bin/sh\necho ${terminal}\n`, { mode: 0o755 });
		for (const name of [...AGENTS, 'shell']) await writeFile(join(bin, name), recorder, { mode: 0o755 });
	}
	const home = join(folder, 'home');
	await mkdir(home, { mode: 0o700 });
	const config = { runner: { port: 0 }, pty: { shell: join(folder, 'first', 'shell') } };
	await writeFile(join(home, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	await symlink(launcher, join(folder, 'roost'));
	const terminal = (name: string) => ({
		PATH: `${join(folder, name)}:/usr/bin:/bin`,
		HOME: folder,
		ROOST_HOME: home,
		MINE: name,
		...LOADERS,
	});
	async function roost(args: readonly string[], env: Record<string, string>) {
		await using command = await startProgram([join(folder, 'roost'), ...args], { cwd: folder, env });
		return await command.waitForExit(DEADLINE_MS);
	}
	stack.defer(async () => void (await roost(['down'], terminal('first'))));
	const owned = stack.move();
	return {
		folder,
		launcher,
		terminal,
		roost,
		/** The environment of the last program; resets it. */
		async seen(): Promise<Record<string, string>> {
			const text = await waitFor(() => read(seenFile), { what: 'the environment of the program', deadlineMs: DEADLINE_MS });
			await rm(seenFile);
			const pairs = text.split('\0').filter(Boolean);
			return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function read(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		// Not written yet.
		return undefined;
	}
}
