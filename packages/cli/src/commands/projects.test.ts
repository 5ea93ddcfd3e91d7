// roost projects, as a user types it, on a machine with a project, a past session and something that is gone.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitRepository } from '@roost/testkit/rigs/git-repository';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '@roost/testkit/rigs/past-claude';
import { startRunningRoost } from '@roost/testkit/rigs/running-roost';
import { beforeAll, describe, expect, it } from 'vitest';

const SESSION = '5f0c8f7e-0000-4000-8000-000000000001';
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

describe('roost projects', { timeout: 120_000 }, () => {
	let world: Awaited<ReturnType<typeof createWorld>>;
	beforeAll(async () => {
		world = await createWorld();
		return () => world[Symbol.asyncDispose]();
	}, 60_000);

	it('looks by itself the first time, and says what it could not read', async () => {
		const listed = await world.roost('projects');
		expect(listed.code).toBe(0);
		expect(listed.stdout).toMatch(
			/^PROJECT +NAME +BRANCH +CHANGES +SESSIONS +AGE +PATH\n[0-9a-f]{8} +app +main +yes +1 +\d+[smhd] +~\/code\/app\n/,
		);
		expect(listed.stderr).toContain('~/nowhere  This folder is gone.');
		expect(listed.stdout + listed.stderr).not.toContain('\x1b]0;');
	});

	it('gives everything to programs, without secrets', async () => {
		const listed = JSON.parse((await world.roost('projects', '--scan', '--json')).stdout);
		expect(listed).toMatchObject({
			projects: expect.any(Array),
			problems: [{ path: join(world.folder, 'nowhere') }],
			scannedAt: expect.any(Number),
		});
		expect(listed.projects.find(({ name }: { name: string }) => name === 'app')).toMatchObject({
			path: world.app,
			projectId: world.app,
			gitRemote: 'https://example.com/acme/app.git',
			pastSessions: 1,
		});
	});

	it.each(['code/app', 'app', 'code/app/deep'])('shows a project and its past sessions, found by %s', async (given) => {
		const shown = await world.roost('projects', 'show', given);
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		expect(shown.stdout).toMatch(/remote +https:\/\/example\.com\/acme\/app\.git\n/);
		expect(shown.stdout).toMatch(/SESSION +AGE +MESSAGES +TOKENS +RESUMABLE +TITLE\n5f0c8f7e +\d+d +3 +22 +yes +Mend it\n/);
	});

	it('opens a past session as a feed, redacted, and records nothing', async () => {
		const opened = await world.roost('projects', 'open', 'app', '5f0c');
		expect(opened).toMatchObject({ code: 0, stderr: '' });
		for (const shown of ['❯ Mend it', '● Bash(', '◆ Mended.', '✓ Run completed']) expect(opened.stdout).toContain(shown);
		expect(opened.stdout).not.toContain(SECRET);
		const lines = (await world.roost('projects', 'open', 'app', '5f0c', '--json')).stdout.trimEnd().split('\n');
		expect(lines.map((line) => JSON.parse(line).offset)).toEqual(lines.map((_, at) => at + 1));
		expect(JSON.parse((await world.roost('sessions', '--all', '--json')).stdout)).toEqual([]);
	});

	it.each([
		[['projects', 'show', 'zzz'], 'There is no project "zzz".'],
		[['projects', 'open', 'app', 'zzz'], 'There is no past session of this project "zzz".'],
		[['projects', 'show'], 'This folder is not among the projects that were found:'],
	])('says what is wrong with %j', async (args, sentence) => {
		const refused = await world.roost(...args);
		expect(refused).toMatchObject({ code: 1, stdout: '' });
		expect(refused.stderr).toContain(`roost: ${sentence}`);
	});
});

async function createWorld() {
	const roost = await startRunningRoost({ projects: { roots: ['~/code', '~/nowhere'] } });
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
	return { ...roost, app };
}
