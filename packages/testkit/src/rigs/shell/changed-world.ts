// A real git working tree as the folder of a session, and what git itself says about its changes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Since } from '@roost/protocol/feed/review';
import { sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { createSessionChanges, type SessionChanges } from '@roost/runner/changes/changes';
import { createSessionMarks } from '@roost/runner/changes/session-marks';
import { sampleSession } from '../record/sample-append.ts';
import { createTempDir } from '../temp-dir.ts';
import { createGitRepository } from './git-repository.ts';

export const SESSION = sessionId.parse('s1');

export type ChangedWorld = AsyncDisposable & {
	readonly path: string;
	readonly changes: SessionChanges;
	put(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
	git(...args: readonly string[]): string;
	commit(): Promise<void>;
	mark(since: Since, options?: { isLate: boolean }): Promise<void>;
	/** A repository in this one, which it refers to by commit. */
	addSubmodule(name: string): void;
	moveSubmodule(name: string): void;
	/** Every file below a folder with its content. */
	contentOf(folder: string): Record<string, string>;
	/** `git diff` against the last commit, in a copy where everything was added: a line per file, status or numbers first. */
	diffOfAll(...options: readonly string[]): Promise<string[]>;
	/** The hunks of one file in the same copy. */
	patchOf(path: string, oldPath?: string): Promise<string[]>;
};

export async function createChangedWorld({ worktreeOf }: { worktreeOf?: ChangedWorld } = {}): Promise<ChangedWorld> {
	const temp = await createTempDir();
	const path = join(temp.path, 'project');
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, GIT_CONFIG_NOSYSTEM: '1' };
	const gitIn = (folder: string, ...args: readonly string[]) =>
		execFileSync('git', ['-C', folder, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	if (worktreeOf) worktreeOf.git('worktree', 'add', '--quiet', path);
	else {
		await mkdir(path);
		await createGitRepository(path, env);
	}
	const marks = createSessionMarks(join(temp.path, 'changes'));
	const row = sampleSession(SESSION, { projectPath: path });
	const changes = createSessionChanges({ marks, sessionOf: () => ok(row), now: () => 1, warn: fail });
	const git = (...args: readonly string[]) => gitIn(path, ...args);
	const identity = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com'];

	/** With the same times, so that git trusts its index. */
	function copyWithAll(): string {
		const copy = join(temp.path, `copy-${crypto.randomUUID()}`);
		execFileSync('cp', ['-a', path, copy]);
		gitIn(copy, 'add', '--all');
		return copy;
	}

	return {
		path,
		changes,
		async put(files) {
			for (const [name, content] of Object.entries(files)) {
				await mkdir(dirname(join(path, name)), { recursive: true });
				await writeFile(join(path, name), content);
			}
		},
		git,
		async commit() {
			git('add', '--all', '--force');
			git(...identity, 'commit', '--quiet', '--message', 'Change');
		},
		mark: (since, { isLate } = { isLate: false }) => changes.mark(SESSION, [since], path, () => isLate),
		addSubmodule(name) {
			mkdirSync(join(path, name));
			gitIn(join(path, name), 'init', '--quiet');
			gitIn(join(path, name), ...identity, 'commit', '--quiet', '--allow-empty', '--message', 'One');
		},
		moveSubmodule: (name) => void gitIn(join(path, name), ...identity, 'commit', '--quiet', '--allow-empty', '--message', 'Two'),
		contentOf: (folder) => readFolder(join(path, folder)),
		async diffOfAll(...options) {
			const listed = gitIn(copyWithAll(), 'diff', '--cached', '-z', ...options, 'HEAD').split('\0');
			return options.includes('--raw') ? joinRaw(listed) : joinNumbers(listed);
		},
		async patchOf(name, oldName) {
			const names = [name, ...(oldName === undefined ? [] : [oldName])];
			const patch = gitIn(copyWithAll(), '--literal-pathspecs', 'diff', '--cached', '--text', '-M', 'HEAD', '--', ...names);
			return toHunks(patch);
		},
		[Symbol.asyncDispose]: temp[Symbol.asyncDispose],
	};
}

function fail(sentence: string): never {
	throw new Error(sentence);
}

function readFolder(folder: string): Record<string, string> {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const files = names.filter((name) => statSync(join(folder, name)).isFile());
	return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

function joinRaw(fields: readonly string[]): string[] {
	const lines: string[] = [];
	for (let at = 0; at + 1 < fields.length; ) {
		const letter = /([A-Z])\d*$/.exec(fields[at] ?? '')?.[1] ?? '';
		const names = letter === 'R' ? 2 : 1;
		lines.push([letter, ...fields.slice(at + 1, at + 1 + names)].join(' '));
		at += 1 + names;
	}
	return lines;
}

function joinNumbers(fields: readonly string[]): string[] {
	const lines: string[] = [];
	for (let at = 0; at + 1 < fields.length; ) {
		const [added = '', removed = '', name = ''] = /^(\S+)\t(\S+)\t(.*)$/s.exec(fields[at] ?? '')?.slice(1) ?? [];
		const names = name === '' ? fields.slice(at + 1, at + 3) : [name];
		lines.push([added, removed, ...names].join(' '));
		at += name === '' ? 3 : 1;
	}
	return lines;
}

/** Lines from the first hunk on; a note about a missing newline belongs to the line before. */
function toHunks(patch: string): string[] {
	const lines = patch.slice(0, -1).split('\n');
	const first = lines.findIndex((line) => line.startsWith('@@'));
	const hunks = first === -1 ? [] : lines.slice(first);
	return hunks.flatMap((line, at) => {
		if (line.startsWith('\\')) return [];
		const shown = /^@@ [^@]+ @@/.exec(line)?.[0] ?? line;
		const next = hunks[at + 1] ?? '';
		return [next.startsWith('\\') ? `${shown}\n${next}` : shown];
	});
}
