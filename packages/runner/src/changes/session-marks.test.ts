import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SESSION } from '@roost/testkit/rigs/shell/changed-world';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { createSessionMarks } from './session-marks.ts';

const DAY_S = 24 * 60 * 60;

it('keeps the first mark and the newest, and removes what was not used for a month', async () => {
	await using temp = await createTempDir();
	const marks = createSessionMarks(join(temp.path, 'changes'));
	unwrap(marks.add(SESSION, '/here', { since: 'start', at: 1, tree: 'a' }));
	for (let run = 1; run <= 150; run += 1) unwrap(marks.add(SESSION, '/here', { since: `run:R${run}`, at: run, tree: 'b' }));
	const kept = marks.read(SESSION).marks.map(({ since }) => since);
	expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([100, 'start', 'run:R52', 'run:R150']);

	const folder = dirname(unwrap(marks.objects(SESSION)));
	const now = Date.now();
	marks.prune(now);
	expect(existsSync(folder)).toBe(true);
	const old = now / 1_000 - 31 * DAY_S;
	await utimes(folder, old, old);
	marks.prune(now);
	expect(existsSync(folder)).toBe(false);
});
