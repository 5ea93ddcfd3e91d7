// The project of the demo in a browser: a repository with a few files, which the scripted agents really change.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { runProgram } from '@roost/machine/run-program';
import type { ToolInput } from '@roost/protocol/feed/base';
import { SCRIPTS } from './stories/clean-build.ts';
import { ROUTE } from './stories/health-check.ts';
import { OLD_NOTES } from './stories/release-notes.ts';

const FILES: Readonly<Record<string, string>> = {
	'CHANGELOG.md': OLD_NOTES,
	'package.json': `${SCRIPTS}\n`,
	'src/health.ts': `${ROUTE}\n`,
	'src/routes.ts': "router.get('/health', health);\nrouter.post('/login', login);\nrouter.get('/search', search);\n",
	'test/health.test.ts':
		"it('answers', async () => {\n  const reply = await get('/health');\n  expect(reply.status).toBe(200);\n});\n",
};

const GIT: readonly (readonly string[])[] = [
	['init', '--quiet', '--initial-branch=main'],
	['add', '--all'],
	['-c', 'user.name=demo', '-c', 'user.email=demo@example.com', 'commit', '--quiet', '--message', 'Start'],
];
const LIMIT_MS = 10_000;

/** Without git there are only the files, and the page of changes says so. */
export async function makeDemoProject(folder: string, { PATH, HOME }: NodeJS.ProcessEnv): Promise<void> {
	for (const [name, content] of Object.entries(FILES)) write(join(folder, name), content);
	for (const args of GIT) {
		const env = { PATH, HOME, GIT_CONFIG_NOSYSTEM: '1' };
		const { ended } = runProgram(['git', ...args], { cwd: folder, env, limitMs: LIMIT_MS });
		if (!(await ended).ok) return;
	}
}

/** Makes the change of a call. Its input may have been edited by the user, so it stays in the folder. */
export function applyCall(folder: string, input: ToolInput): void {
	const { file_path, old_string, new_string, content } = input;
	if (typeof file_path !== 'string') return;
	const path = resolve(folder, file_path);
	if (relative(folder, path).startsWith('..')) return;
	if (typeof content === 'string') write(path, content);
	else if (typeof old_string === 'string' && typeof new_string === 'string' && existsSync(path)) {
		write(
			path,
			readFileSync(path, 'utf8').replace(old_string, () => new_string),
		);
	}
}

function write(path: string, content: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
}
