// roost projects as a user runs it, on a machine with a project, a past session and a missing folder.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '@roost/testkit/rigs/agents/past-claude';
import { type Driven, driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { beforeAll, describe, expect, it } from 'vitest';

const SESSION = '5f0c8f7e-0000-4000-8000-000000000001';
const FOUND_BY = ['code/app', 'app', 'code/app/deep'];
const OPEN = ['projects', 'open', 'app', '5f0c'];
const SESSIONS = ['sessions', '--all', '--json'];
const REFUSED = [
	[['projects', 'show', 'zzz'], 'No project "zzz" found.'],
	[['projects', 'open', 'app', 'zzz'], 'No past session of this project "zzz" found.'],
	[['projects', 'show'], 'This folder is not a known project.'],
] as const;
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

describe('roost projects', { timeout: 120_000 }, () => {
	let world: Awaited<ReturnType<typeof createWorld>>;
	beforeAll(async () => {
		world = await createWorld();
		return () => world[Symbol.asyncDispose]();
	}, 120_000);

	it('scans on first use, and reports folders it could not read', () => {
		const { code, stdout, stderr } = world.ran('projects');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^PROJECT +NAME +BRANCH +CHANGES +SESSIONS +AGE +PATH\n/);
		expect(stdout).toMatch(/\n[0-9a-f]{8} +app +main +yes +1 +\d+[smhd] +~\/code\/app\n/);
		expect(stderr).toContain('~/nowhere  This folder does not exist.');
		expect(stdout + stderr).not.toContain('\x1b');
	});

	it('prints every project as JSON, without secrets', () => {
		const listed = JSON.parse(world.ran('projects', '--scan', '--json').stdout);
		expect(listed).toMatchObject({ problems: [{ path: join(world.folder, 'nowhere') }], scannedAt: expect.any(Number) });
		expect(listed.projects.find(({ name }: { name: string }) => name === 'app')).toMatchObject({
			path: world.app,
			projectId: expect.stringMatching(/^p[0-9a-f]{19}$/),
			gitRemote: 'https://example.com/acme/app.git',
			pastSessions: 1,
		});
	});

	it.each(FOUND_BY)('shows a project and its past sessions, found by %s', (given) => {
		const shown = world.ran('projects', 'show', given);
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		expect(shown.stdout).toMatch(/remote +https:\/\/example\.com\/acme\/app\.git\n/);
		expect(shown.stdout).toMatch(/SESSION +AGE +MESSAGES +TOKENS +RESUMABLE +TITLE\n5f0c8f7e +\d+d +3 +22 +yes +Mend it\n/);
	});

	it('opens a past session as a redacted feed, and records nothing', () => {
		const opened = world.ran(...OPEN);
		expect(opened).toMatchObject({ code: 0, stderr: '' });
		for (const shown of ['❯ Mend it', '● Bash(', '◆ Mended.', '✓ Run completed']) expect(opened.stdout).toContain(shown);
		expect(opened.stdout).not.toContain(SECRET);
		const lines = world
			.ran(...OPEN, '--json')
			.stdout.trimEnd()
			.split('\n');
		expect(lines.map((line) => JSON.parse(line).offset)).toEqual(lines.map((_, at) => at + 1));
		expect(JSON.parse(world.ran(...SESSIONS).stdout)).toEqual([]);
	});

	it.each(REFUSED)('explains the error of %j', (args, sentence) => {
		const refused = world.ran(...args);
		expect(refused).toMatchObject({ code: 1, stdout: '' });
		expect(refused.stderr).toContain(`roost: ${sentence}`);
	});
});

async function createWorld() {
	const roost = await startRunnerProcess({ config: { projects: { roots: ['~/code', '~/nowhere'] } } });
	const app = join(roost.folder, 'code', 'app');
	await mkdir(join(app, 'deep'), { recursive: true });
	await createGitRepository(app, roost.env);
	await writeFile(join(app, 'deep', 'new'), '');
	await writeFile(
		join(app, '.git', 'config'),
		`[core]\n\tbare = false\n[remote "origin"]\n\turl = https://dev:${SECRET}@example.com/acme/app.git\n`,
	);
	await mkdir(join(roost.folder, 'code', 'evil\x1b]0;x\x07'));
	const past = await createPastClaude(join(roost.folder, '.claude'));
	await past.add({
		cwd: app,
		id: SESSION,
		lines: [
			pastPrompt('Mend it'),
			pastCall('Bash', { command: `export TOKEN=${SECRET}` }, { id: 't1' }),
			pastResult('t1', 'ok'),
			pastAnswer('Mended.'),
		],
	});
	const runs = [
		['projects'],
		['projects', '--scan', '--json'],
		...FOUND_BY.map((given) => ['projects', 'show', given]),
		OPEN,
		[...OPEN, '--json'],
		SESSIONS,
		...REFUSED.map(([args]) => args),
	];
	const outputs = await driveCli(runs, { cwd: roost.folder, env: roost.env });
	const byWords = new Map(runs.map((args, at) => [args.join(' '), outputs[at]]));
	const ran = (...args: readonly string[]): Driven => {
		const output = byWords.get(args.join(' '));
		if (!output) throw new Error(`nobody ran ${args.join(' ')}`);
		return output;
	};
	return { ...roost, app, ran };
}
