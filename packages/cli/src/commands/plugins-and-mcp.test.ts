// roost plugins and roost mcp as a user runs them, with a shell script in place of claude.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const TIMEOUT = { timeout: 120_000 };

/** Prints its arguments; for `mcp get` and the lists, prints sample output of claude. */
const CLAUDE = `
case "$1 $2" in
"plugin list") printf '[{"id":"a@b","version":"1\\\\u001b[2J","scope":"user","enabled":false},{"odd":1}]' ;;
"plugin marketplace") if [ "$3" = list ]; then echo '[]'; else echo "$@"; fi ;;
"mcp list") printf 'db: node x - \\342\\234\\224 Connected\\nweb: http://h/ (HTTP) - ! Needs authentication\\nwho knows\\n' ;;
"mcp get") printf 'db:\\n  Type: stdio\\n  Command: node\\n  Environment:\\n    KEY=hunter2\\n' ;;
"mcp add") echo "Added"; for a in "$@"; do echo "<$a>"; done ;;
"mcp login") echo "Visit https://login.example.com/?state=abc"; sleep 1; echo done ;;
"plugin install") echo "Fetching"; sleep 1; echo 'No luck: token=ghp_0123456789abcdefghijABCDEFGHIJ012345' >&2; exit 1 ;;
*) echo "$@" ;;
esac`;

describe('roost plugins and roost mcp', () => {
	it('list plugins and servers with control characters escaped and secrets hidden', TIMEOUT, async () => {
		await using world = await startWorld();
		const [plugins, markets, servers, server, asJson] = await world.drive([
			['plugins'],
			['plugins', 'marketplaces'],
			['mcp'],
			['mcp', 'get', 'db'],
			['mcp', 'get', 'db', '--json'],
		]);
		expect(plugins).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^PLUGIN .*\na@b {5}1\\x1b\[2J +user +disabled\n\nClaude also printed:\n\{"odd":1\}\n$/),
		});
		expect(markets?.stdout).toBe('No marketplaces. Add one: roost plugins marketplaces add owner/repo\n');
		expect(servers?.stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
			'SERVER TRANSPORT STATE COMMAND OR URL',
			'db stdio connected node x',
			'web http needs login http://h/',
			'',
			'web: ! Needs authentication',
			'',
			'Claude also printed:',
			'who knows',
			'',
		]);
		expect(server?.stdout).toMatch(/variables {2}KEY\n/);
		expect(JSON.parse(asJson?.stdout ?? '')).toMatchObject({ name: 'db', env: ['KEY'] });
		expect(JSON.stringify([server, asJson])).not.toContain('hunter2');

		const [program, remote, bad, worse, worst] = await world.drive([
			['mcp', 'add', 'db', '-e', 'KEY=hunter22', '--', 'run', '--scope', 'x'],
			['mcp', 'add', 'web', '--transport', 'http', '-H', 'X-Key: hunter22', 'https://h.example/'],
			['mcp', 'add', 'db', '-e', 'hunter22', 'run'],
			['mcp', 'add', 'db', '-e', '1K=hunter22', 'run', '--json'],
			['mcp', 'add', 'db', '--transport', 'pigeon', 'run'],
		]);
		expect(program?.stdout).toContain('<--env>\n<KEY=[hidden]>\n<-->\n<db>\n<run>\n<--scope>\n<x>\n');
		expect(remote?.stdout).toContain('<--header>\n<X-Key: [hidden]>\n<-->\n<web>\n<https://h.example/>\n');
		expect(bad).toMatchObject({ code: 2, stderr: 'roost: -e takes a variable as NAME=value.\n' });
		expect(worse).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^\{"error":\{"code":"usage","message":"env: expected names of variables/),
		});
		expect(worst).toMatchObject({ code: 2, stderr: expect.stringMatching(/^roost: transport: /) });
		expect(JSON.stringify([program, remote, bad, worse])).not.toContain('hunter22');
	});

	it('print progress to stderr, fail with the error of claude, and refuse changes by an agent', TIMEOUT, async () => {
		await using world = await startWorld();
		const [login, install] = await world.drive([
			['mcp', 'auth', 'db'],
			['plugins', 'install', 'a@b'],
		]);
		expect(login).toMatchObject({ code: 0, stderr: 'Visit https://login.example.com/?state=abc\n', stdout: 'done\n' });
		expect(install).toMatchObject({
			code: 4,
			stderr: expect.stringMatching(/^Fetching\nroost: claude plugin install failed: No luck: /),
		});
		expect(install?.stderr).not.toContain('ghp_0123456789');

		const changes = [
			['plugins', 'install', 'a@b'],
			['plugins', 'enable', 'a@b'],
			['plugins', 'marketplaces', 'add', './x'],
			['mcp', 'add', 'db', 'run'],
			['mcp', 'add-json', 'db', '{}'],
			['mcp', 'remove', 'db'],
			['mcp', 'auth', 'db'],
		];
		const refused = await world.drive(changes, { ROOST_SESSION: 's1' });
		for (const [at, words] of changes.entries()) {
			expect
				.soft(refused[at], words.join(' '))
				.toMatchObject({ code: 1, stderr: expect.stringContaining('Agents cannot do this') });
		}
	});
});

async function startWorld() {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const program = join(folder, 'claude');
	await writeFile(program, `#!/bin/sh${CLAUDE}\n`, { mode: 0o755 });
	const roost = stack.use(await startRunnerProcess({ config: { agents: { claude: { command: program } } } }));
	const owned = stack.move();
	return {
		drive: (runs: readonly string[][], env: Record<string, string> = {}) =>
			driveCli(runs, { cwd: roost.folder, env: { ...roost.env, ...env } }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
