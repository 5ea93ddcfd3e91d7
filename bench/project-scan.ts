// Project scan: a scan of a thousand repositories, against a plain `git status` of each with the same concurrency.

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createExclusion } from '@roost/core/projects/excluded';
import { mustBeOpen } from '@roost/machine/foreign-file';
import { runGit } from '@roost/machine/git';
import { atMost } from '@roost/runner/projects/at-most';
import { GIT_AT_ONCE, scanProjects } from '@roost/runner/projects/scan-projects';
import { createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import type { BenchRow } from './bench-row.ts';

const PROJECTS = 1_000;
const TARGET = 3;
const git = promisify(execFile);

export async function run(): Promise<BenchRow[]> {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'roost-bench-')));
	try {
		const paths = makeRepositories(root);
		const floorValue = await timed(() => atMost(GIT_AT_ONCE, paths, (path) => git('git', ['-C', path, 'status', '--porcelain'])));
		const value = await timed(async () => {
			const { projects } = await scan(root);
			if (projects.length !== PROJECTS) throw new Error(`found ${projects.length} of ${PROJECTS} projects`);
		});
		const ratio = value / floorValue;
		const bar = 'scan of 1 000 projects';
		return [
			{ bar, floor: 'plain git status', floorValue, value, unit: 'ms', ratio, target: `<= ${TARGET}x`, met: ratio <= TARGET },
		];
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

function scan(root: string) {
	return scanProjects(
		{
			roots: [root],
			isExcluded: createExclusion([]),
			pastPlaces: async () => ({ placed: [], problems: [] }),
			git: runGit,
			mustBeOpen,
			identify: createTestProjects().identify,
		},
		{ onProgress: () => {}, signal: new AbortController().signal },
	);
}

function makeRepositories(root: string): string[] {
	const [first = root, ...more] = Array.from({ length: PROJECTS }, (_, at) => join(root, `project-${at}`));
	mkdirSync(first);
	writeFileSync(join(first, 'README.md'), '# A project\n');
	const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
	execFileSync('git', ['init', '--quiet', '--template=', first]);
	execFileSync('git', ['-C', first, 'add', '.']);
	execFileSync('git', ['-C', first, ...who, 'commit', '--quiet', '--message', 'Start']);
	for (const path of more) cpSync(first, path, { recursive: true });
	return [first, ...more];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const since = performance.now();
	await work();
	return performance.now() - since;
}
