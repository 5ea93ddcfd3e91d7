import { execFileSync } from 'node:child_process';
import { link, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRedactor } from '@roost/core/redaction/redact';
import { projectId } from '@roost/protocol/ids';
import { sampleAsk, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createReadFileBefore } from './ask-answers.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

async function openWorld() {
	const temp = await createTempDir();
	const root = await realpath(temp.path);
	const project = join(root, 'project');
	await mkdir(join(project, 'src'), { recursive: true });
	const session = sampleSession('s1', { projectId: projectId.parse(project), projectPath: project });
	const read = createReadFileBefore({ sessionOf: () => session, redactor: createRedactor(() => '0123abcd') });
	const ask = (path: string, over: Parameters<typeof sampleAsk>[1] = {}) =>
		read(sampleAsk('s1.1', { tool: 'Write', input: { file_path: path, content: 'new' }, ...over }));
	return { root, project, ask, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

describe('file that a call would change', () => {
	it('is read with its secrets redacted', async () => {
		await using world = await openWorld();
		await writeFile(join(world.project, 'src/a.ts'), `const token = '${TOKEN}';\nconst b = 2;\n`);
		for (const tool of ['Write', 'Edit', 'MultiEdit']) {
			const shown = await world.ask(join(world.project, 'src/a.ts'), { tool });
			expect(shown).toMatchObject({ state: 'text', text: expect.stringContaining('const b = 2;\n') });
			expect(JSON.stringify(shown)).not.toContain(TOKEN);
			expect(JSON.stringify(shown)).toContain('[redacted:');
		}
		expect(await world.ask('src/a.ts')).toMatchObject({ state: 'text' });
		expect(await world.ask(join(world.project, 'src/new.ts'))).toEqual({ state: 'absent' });
		expect(await world.ask(join(world.project, 'no/such/folder.ts'))).toEqual({ state: 'absent' });
	});

	it('is not read for other calls, or once the ask is decided', async () => {
		await using world = await openWorld();
		const path = join(world.project, 'src/a.ts');
		await writeFile(path, 'x');
		expect(await world.ask(path, { tool: 'Read' })).toBeUndefined();
		expect(await world.ask(path, { state: 'allowed' })).toBeUndefined();
	});

	it('is not read through links, outside the project, or if it may contain secrets', async () => {
		await using world = await openWorld();
		const { root, project } = world;
		await mkdir(join(root, 'private'));
		await writeFile(join(root, 'private/notes.txt'), 'private');
		await symlink(join(root, 'private/notes.txt'), join(project, 'linked.txt'));
		await symlink(join(root, 'private'), join(project, 'folder'));
		await link(join(root, 'private/notes.txt'), join(project, 'hard.txt'));
		await writeFile(join(project, '.env.local'), 'A=b');
		const seen = [
			[join(project, 'linked.txt'), 'it is a symbolic link'],
			[join(project, 'folder/notes.txt'), 'it is outside the project'],
			[join(project, '../private/notes.txt'), 'it is outside the project'],
			['/etc/passwd', 'it is outside the project'],
			[join(project, 'hard.txt'), 'it has more than one hard link'],
			[join(project, '.env.local'), 'it may contain secrets'],
		] as const;
		for (const [path, why] of seen) expect(await world.ask(path), path).toEqual({ state: 'unread', why });
	});

	it('is not read if it is not a text file of bounded size', async () => {
		await using world = await openWorld();
		const { project } = world;
		execFileSync('mkfifo', [join(project, 'pipe')]);
		await writeFile(join(project, 'large.txt'), 'x'.repeat(256 * 1024 + 1));
		await writeFile(join(project, 'binary'), Buffer.from([1, 0, 2]));
		expect(await world.ask(join(project, 'pipe'))).toEqual({ state: 'unread', why: 'it is not a plain file' });
		expect(await world.ask(join(project, 'large.txt'))).toEqual({ state: 'unread', why: 'it is larger than 256 KiB' });
		expect(await world.ask(join(project, 'binary'))).toEqual({ state: 'unread', why: 'it is not text' });
		expect(await world.ask(`${project}/bad\0name`)).toMatchObject({ state: expect.stringMatching(/absent|unread/) });
	});
});
