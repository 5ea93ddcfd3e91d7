// Changes of untrusted repositories: programs that they configure never run.
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '@roost/protocol/result';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { SESSION } from '@roost/testkit/rigs/shell/changed-world';
import { createHostileRepository, type HostileRepository } from '@roost/testkit/rigs/shell/hostile-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createSessionChanges } from './changes.ts';
import { createSessionMarks } from './session-marks.ts';

describe('changes of a hostile repository', () => {
	it('are read without running a program that it configures', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		await showReadme(hostile);
		const changes = createSessionChanges({
			marks: createSessionMarks(join(temp.path, 'changes')),
			sessionOf: () => ok(sampleSession(SESSION, { projectPath: hostile.path })),
			now: () => 1,
			warn: () => {},
		});
		await changes.mark(SESSION, ['start'], hostile.path, () => false);
		await writeFile(join(hostile.path, 'by-tree'), 'three\n');
		for (const since of ['start', 'head'] as const) {
			const listed = unwrap(await changes.list(SESSION, since));
			if (!listed.isKnown) throw new Error(listed.why);
			expect(listed.files.length).toBeGreaterThan(0);
			for (const { path } of listed.files) {
				const read = unwrap(await changes.file(SESSION, { changes: listed.id, path, from: 0, limit: 100 }));
				expect(read.rows.length).toBeGreaterThan(0);
			}
		}
		expect(await hostile.ran()).toEqual([]);
	});

	it('would run programs without the protection', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		await showReadme(hostile);
		hostile.runCarelessly('add', 'by-tree');
		hostile.runCarelessly('diff', 'HEAD', '--', 'README.md');
		hostile.runCarelessly('diff', '--no-ext-diff', 'HEAD', '--', 'README.md');
		expect(await hostile.ran()).toEqual(expect.arrayContaining(['clean', 'external-diff', 'textconv']));
	});
});

/** A changed file that git would convert to show it. */
async function showReadme({ path }: HostileRepository): Promise<void> {
	await appendFile(join(path, '.gitattributes'), 'README.md diff=shown\n');
	await writeFile(join(path, 'README.md'), 'changed\n');
}
