// Every spelling of a protected path: proven with the real bash where a shell is involved, and denied.

import { spawnSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { EVERYDAY_CALLS, EVERYDAY_PATHS } from '@roost/testkit/corpora/everyday-paths';
import { OWN_FILE_READS, OWN_FILE_WRITES } from '@roost/testkit/corpora/own-file-spellings';
import { READING_COMMANDS } from '@roost/testkit/corpora/reading-commands';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createOwnFiles } from './own-files.ts';
import { ownFilesContext } from './places.ts';

describe('files of Roost', () => {
	it('cannot be read by any spelling that works in real bash', { timeout: 120_000 }, async () => {
		await using world = await createOwnFilesWorld();
		const lines = OWN_FILE_READS(world.home);
		expect(lines.filter((line) => world.deny('Bash', { command: line }) === undefined)).toEqual([]);
		const unproven = lines.filter((line) => {
			const { stdout, stderr } = world.bash(line);
			return !`${stdout}${stderr}`.includes(SECRET);
		});
		expect(unproven).toEqual([]);
		expect(lines.length).toBeGreaterThanOrEqual(150);
	});

	it('cannot be changed by any spelling that works in real bash', { timeout: 120_000 }, async () => {
		const through: string[] = [];
		const unproven: string[] = [];
		for (const line of OWN_FILE_WRITES) {
			await using world = await createOwnFilesWorld();
			if (world.deny('Bash', { command: line }) === undefined) through.push(line);
			const before = world.snapshot();
			world.bash(line);
			if (world.snapshot() === before) unproven.push(line);
		}
		expect({ through, unproven }).toEqual({ through: [], unproven: [] });
	});

	it.each([
		'Read',
		'Write',
		'Edit',
		'MultiEdit',
		'NotebookEdit',
		'LS',
		'Grep',
		'Glob',
		'mcp__files__read_file',
		'mcp__x__put',
		'fs_tool',
	])('are denied to %s for every spelling of a path', async (tool) => {
		await using world = await createOwnFilesWorld();
		const paths = pathSpellings(world);
		expect(paths.flatMap((path) => inputsOf(tool, path)).filter((input) => world.deny(tool, input) === undefined)).toEqual([]);
	});

	it('are denied to every tool that names them anywhere in its input', async () => {
		await using world = await createOwnFilesWorld();
		const token = `${world.data}/token`;
		const calls: [string, Record<string, unknown>][] = [
			['mcp__x__copy', { source: 'README.md', destination: token }],
			['mcp__x__copy', { source: token, destination: 'x' }],
			['mcp__x__read_many', { paths: ['README.md', { path: token }] }],
			['mcp__x__write', { files: { [token]: 'x' } }],
			['mcp__x__run', { command: 'cd ~/.local/share && cat roost/token' }],
			['mcp__x__run', { cmd: ['bash', '-lc', 'cat ~/.local/share/roost/token'] }],
			['mcp__x__run', { args: ['cat', '../../.local/share/roost/token'] }],
			['mcp__x__run', { command: 'cat token', cwd: world.data }],
			['mcp__x__run', { command: 'cat roost/token', workdir: '../../.local/share' }],
			['mcp__x__open', { uri: `file://${token}` }],
			['mcp__x__open', { uri: `file://${token.replace('roost', '%72oost')}` }],
			['mcp__x__search', { root: world.home, query: 'x' }],
			['mcp__x__grep', { dir: `${world.home}/.local` }],
			['mcp__x__script', { code: "open(os.path.expanduser('~/.local/share/roost/token'))" }],
			['WebFetch', { url: `file://${token}`, prompt: 'x' }],
			['Grep', { pattern: 'x', path: world.home }],
			['Grep', { pattern: 'x', path: '~/.local' }],
			['Grep', { pattern: 'x', path: '../..' }],
			['Grep', { pattern: 'x', path: ['src', world.home] }],
			['Grep', { pattern: 'x', path: world.home, glob: '*' }],
			['Grep', { pattern: 'x', path: world.home, glob: '{token,x}' }],
			['Glob', { pattern: '**/token', path: world.home }],
			['Glob', { pattern: `${world.home}/**/*.db` }],
			['Glob', { pattern: '../../**/token' }],
			['Glob', { pattern: '**/*', path: `${world.home}/.local/share` }],
			['Edit', { patch: '*** Begin Patch\n*** Update File: ../../.local/share/roost/token\n@@\n-a\n+b\n*** End Patch' }],
			['Edit', { file_path: 'src/main.ts', moved_to: token, old_string: 'a', new_string: 'b' }],
			['apply_patch', { input: `*** Begin Patch\n*** Add File: ${world.data}/x\n+a\n*** End Patch` }],
			['apply_patch', { input: '*** Begin Patch\n*** Delete File: link/token\n*** End Patch' }],
			[
				'Bash',
				{
					command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ../../.config/roost/config.yaml\n+a\n*** End Patch\nEOF",
				},
			],
			['BashInput', { shell_id: '1', input: 'cat ~/.local/share/roost/token\n' }],
			['BashInput', { session_id: 1, chars: 'cat ~/.local/share/roost/token\n' }],
			['PowerShell', { command: 'Get-Content ~/.local/share/roost/token' }],
			['Read', { file_path: `/proc/${process.pid}/environ` }],
			['Read', { file_path: `/proc/self/root/proc/thread-self/root/${token}` }],
			['Read', { file_path: '/proc/self/cwd/link/token' }],
			['Bash', { command: `cat /proc/${process.pid}/environ` }],
			['Bash', { command: `tr '\\0' '\\n' < /proc/${process.pid}/environ` }],
			['Bash', { command: 'cat /proc/*/environ' }],
			['Bash', { command: 'cat /proc/$(pgrep -f roost)/environ' }],
			['Bash', { command: `cp /proc/${process.pid}/mem x` }],
			['Write', { file_path: `${world.program}/dist/cli/main.js`, content: 'x' }],
			['Write', { file_path: 'prog/new', content: 'x' }],
			['Edit', { file_path: '~/apps/roost/roost', old_string: 'a', new_string: 'b' }],
			['mcp__x__write_file', { path: `${world.program}/x`, content: 'x' }],
			['mcp__x__delete', { path: `${world.home}/apps` }],
		];
		expect(calls.filter(([tool, input]) => world.deny(tool, input) === undefined)).toEqual([]);
	});

	it('are denied if a call is too large to check and mentions Roost', async () => {
		await using world = await createOwnFilesWorld();
		const many = Array.from({ length: 5_000 }, (_, at) => `f${at}`);
		expect(world.deny('mcp__x__y', { many })).toBeUndefined();
		expect(world.deny('mcp__x__y', { many: [...many, 'roost'] })).toBe('builtin-home');
		expect(world.deny('Bash', { command: `ls ${many.join(' ')} ; cat roost` })).toBe('builtin-home');
		expect(world.deny('Bash', { command: `echo ${'x'.repeat(300_000)}` })).toBeUndefined();
	});

	it('are matched regardless of case only on a case-insensitive file system', async () => {
		await using world = await createOwnFilesWorld();
		const input = { file_path: `${world.home}/.LOCAL/share/ROOST/token` };
		expect(world.deny('Read', input)).toBeUndefined();
		expect(world.denyFolded('Read', input)).toBe('builtin-home');
	});

	it('are denied with a one-line reason', async () => {
		await using world = await createOwnFilesWorld();
		expect(world.why('Read', { file_path: 'link/token' })).toBe(
			`"${world.project}/link/token" belongs to Roost's data folder; agents cannot read or change it, because it holds the token and the record`,
		);
		expect(world.why('Write', { file_path: `${world.program}/x`, content: '' })).toMatch(
			/To develop Roost, start the runner from another copy$/,
		);
	});
});

describe('commands that decide requests', () => {
	it.each([
		'env roost allow x.1',
		'command roost allow x.1',
		'./roost deny x.1',
		'"roost" allow x.1',
		"ro''ost allow x.1",
		'r\\oost allow x.1',
		"bash -c 'roost allow x.1'",
		'sudo -u lea roost allow x.1',
		'roost --enforce allow x.1',
		'roost --theme dark allow x.1',
		'x=roost; $x allow x.1',
		'roost $(echo allow) x.1',
		'roost {allow,x.1}',
		'{roost,allow,x.1}',
		'node ~/apps/roost/dist/cli/start.js allow x.1',
		'node ~/apps/roost/dist/cli/main.js allow x.1',
		'node --no-warnings prog/dist/cli/main.js rules add allow "*"',
		'cd ~/apps/roost/dist/cli && node main.js down',
		'~/bin/rst allow x.1',
		'../../bin/rst answer x.1',
		'echo x.1 | xargs roost allow',
		'nohup ~/apps/roost/roost rules add allow Bash &',
		'for i in 1 2; do roost allow x.$i; done',
		'bash <<EOF\nroost allow x.1\nEOF',
		'echo "roost allow x.1" | sh',
		'eval "roost allow x.1"',
		'timeout 5 roost mcp add evil -- ./evil',
	])('are denied: %s', async (command) => {
		await using world = await createOwnFilesWorld();
		expect(world.deny('Bash', { command })).toMatch(/^builtin-/);
	});
});

function pathSpellings({ home, data }: { home: string; data: string }): string[] {
	const user = home.slice(home.lastIndexOf('/') + 1);
	return [
		`${data}/token`,
		`${data}`,
		`${data}/`,
		`/${data}/token`,
		`${home}/.local//share/roost/token`,
		`${home}/.local/./share/roost/token`,
		`${home}/.local/x/../share/roost/token`,
		`${home}/code/app/../../.local/share/roost/token`,
		'../../.local/share/roost/token',
		'./../../.local/share/roost/token',
		'link/token',
		'link',
		'parent/roost/token',
		'up/.local/share/roost/run/runner.json',
		'tok',
		'hard',
		'hole',
		'~/.local/share/roost/token',
		`~${user}/.local/share/roost/token`,
		'$HOME/.local/share/roost/token',
		`\${HOME}/.local/share/roost/token`,
		'$ROOST_HOME/token',
		`file://${data}/token`,
		`/proc/self/root${data}/token`,
		`/proc/${process.pid}/root${data}/token`,
		`${data}/not/there/yet`,
		'~/.config/roost/config.yaml',
		`${home}/.config/roost/config.yaml`,
		` ${data}/token`,
	];
}

function inputsOf(tool: string, path: string): Record<string, unknown>[] {
	switch (tool) {
		case 'Grep':
			return [{ pattern: 'x', path }];
		case 'Glob':
			return [{ pattern: '*', path }];
		case 'LS':
			return [{ path }];
		case 'NotebookEdit':
			return [{ notebook_path: path, new_source: 'x' }];
		case 'Write':
		case 'Read':
		case 'Edit':
			return [{ file_path: path, content: 'x' }];
		case 'MultiEdit':
			return [{ file_path: path, edits: [{ old_string: 'a', new_string: 'b' }] }];
		default:
			return [{ path }, { options: { target: [path] } }, { a: 'x', b: `--file=${path}` }];
	}
}

describe('everyday work', () => {
	it('is never confused with access to the files of Roost', async () => {
		await using world = await createOwnFilesWorld();
		const lines = [...EVERYDAY_PATHS, ...EVERYDAY_COMMANDS, ...READING_COMMANDS];
		expect(lines.filter((command) => world.deny('Bash', { command }) !== undefined)).toEqual([]);
		const calls = EVERYDAY_CALLS(world.home, world.project);
		expect(calls.filter(([tool, input]) => world.deny(tool, input) !== undefined)).toEqual([]);
		expect(EVERYDAY_PATHS.length + calls.length).toBeGreaterThanOrEqual(200);
	});
});

const SECRET = 'SECRET-4711';

/** A home with Roost's own files, a project beside them, and the judge that protects these files. The links in the project were made earlier. */
async function createOwnFilesWorld() {
	const directory = await createTempDir();
	const home = join(directory.path, 'lea');
	const data = join(home, '.local/share/roost');
	const project = join(home, 'code/app');
	const program = join(home, 'apps/roost');
	const write = (path: string, text: string) => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	};
	write(join(data, 'token'), `${SECRET}\n`);
	write(join(data, 'roost.db'), `${SECRET}\n`);
	write(join(data, 'run/runner.json'), `${SECRET}\n`);
	write(join(home, '.config/roost/config.yaml'), `# ${SECRET}\n`);
	write(join(home, '.config/other/settings.yaml'), 'x: 1\n');
	write(join(home, '.local/share/other/notes.txt'), 'notes\n');
	write(join(program, 'roost'), '#!/bin/sh\n');
	for (const name of ['start', 'main']) write(join(program, `dist/cli/${name}.js`), `// ${name}\n`);
	for (const name of [
		'README.md',
		'src/main.ts',
		'src/roost/token.ts',
		'docs/roost.md',
		'roost/token',
		'.local/share/roost/token',
	])
		write(join(project, name), 'project\n');
	for (const [name, target] of Object.entries({
		link: data,
		parent: dirname(data),
		tok: join(data, 'token'),
		up: home,
		prog: program,
	}))
		symlinkSync(target, join(project, name));
	symlinkSync('no-such-file-yet', join(data, 'dangling'));
	symlinkSync(join(data, 'new-file'), join(project, 'hole'));
	linkSync(join(data, 'token'), join(project, 'hard'));
	mkdirSync(join(home, 'bin'));
	symlinkSync(join(program, 'roost'), join(home, 'bin/rst'));
	const env = { HOME: home, PATH: process.env.PATH ?? '', XDG_DATA_HOME: '' };
	const context = ownFilesContext({ data, run: join(data, 'run') }, env, program);
	const judge = createOwnFiles(context, false);
	const folded = createOwnFiles(context, true);
	return {
		home,
		project,
		data,
		program,
		why: (tool: string, input: Record<string, unknown>) => judge({ tool, input }, project)?.why,
		denyFolded: (tool: string, input: Record<string, unknown>) => folded({ tool, input }, project)?.rule.id,
		deny: (tool: string, input: Record<string, unknown>, cwd = project) => judge({ tool, input }, cwd)?.rule.id,
		/** Everything that is protected, with its content. */
		snapshot: () => [data, join(home, '.config/roost'), program].map((folder) => contentOf(folder)).join('\n'),
		bash: (line: string) =>
			spawnSync('bash', ['-c', line], {
				cwd: project,
				env: { HOME: home, PATH: env.PATH, ROOST_HOME: data, XDG_DATA_HOME: join(home, '.local/share') },
				encoding: 'utf8',
				timeout: 20_000,
			}),
		[Symbol.asyncDispose]: directory[Symbol.asyncDispose],
	};
}

function contentOf(path: string): string {
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (found?.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
	if (found?.isDirectory()) return [path, ...readdirSync(path).map((name) => contentOf(join(path, name)))].join('\n');
	return `${path} ${found === undefined ? 'gone' : readFileSync(path, 'utf8')}`;
}
