// A home folder with Roost's own files in it, a project beside them, and the judge that keeps agents from those files.
import { spawnSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createOwnFiles } from '@roost/runner/deciding/own-files';
import { ownFilesContext } from '@roost/runner/deciding/places';
import { createTempDir } from '../temp-dir.ts';

export const SECRET = 'SECRET-4711';

/** The links in the project were made earlier. */
export async function createOwnFilesWorld() {
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
