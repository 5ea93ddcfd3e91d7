// Follows what one claude is doing and tells when that changes.
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { type ClaudeStatus, isSameStatus, type StatusSources, toClaudeStatus } from './claude-status.ts';
import { isClaudeAlive, readStatusFile, statusFileName } from './read-status-file.ts';
import { foldHookStatus } from './status-of-hooks.ts';
import { statusOfScreen } from './status-of-screen.ts';

export type ClaudeStatusWatch = Disposable & {
	current(): ClaudeStatus;
	/** Every event of its session, in order. */
	sawEvent(event: RuntimeEvent): void;
	/** Its screen as it is now; a picture that says nothing counts for nothing. */
	sawScreen(lines: readonly string[]): void;
};

export type ClaudeStatusOptions = {
	/** Of the claude itself. */
	pid: number;
	/** Its CLAUDE_CONFIG_DIR, else `.claude` in its home. */
	configDir: string;
	onChange(status: ClaudeStatus): void;
	now?: () => number;
	/** How often the file is looked at where the system does not tell of changes, and for a process that was killed. */
	lookEveryMs?: number;
};

const LOOK_EVERY_MS = 1_000;

/** Starts with what is unknown; the first thing that is known is told as a change. Of a dead process nothing is known any more. */
export function watchClaudeStatus(options: ClaudeStatusOptions): ClaudeStatusWatch {
	const { pid, configDir, onChange, now = Date.now, lookEveryMs = LOOK_EVERY_MS } = options;
	let sources: StatusSources = {};
	let current = toClaudeStatus(sources, now());
	let isOver = false;
	const learn = (more: StatusSources) => {
		if (isOver) return;
		sources = { ...sources, ...more };
		const next = toClaudeStatus(sources, now());
		const isNews = !isSameStatus(current, next);
		// What is unknown stays as old as it is.
		if (isNews || next.source !== 'none') current = next;
		if (isNews) onChange(current);
	};
	const look = createLooking(async () => {
		learn({ file: await readStatusFile(configDir, pid) });
		if (isOver || isClaudeAlive(pid)) return;
		learn({ file: null, hooks: null, screen: null });
		end();
	});
	const directory = createDirectoryWatch(join(configDir, 'sessions'), statusFileName(pid), look);
	const timer = setInterval(() => {
		directory.ensure();
		look();
	}, lookEveryMs).unref();
	function end(): void {
		isOver = true;
		clearInterval(timer);
		directory[Symbol.dispose]();
	}
	look();
	return {
		current: () => current,
		sawEvent: (event) => learn({ hooks: foldHookStatus(sources.hooks ?? null, event) }),
		sawScreen(lines) {
			const { status, waitingFor } = statusOfScreen(lines);
			learn({ screen: status === 'unknown' ? null : { status, waitingFor, at: now() } });
		},
		[Symbol.dispose]: end,
	};
}

/** At most one look at a time and one more after it, however often it is asked for. */
function createLooking(look: () => Promise<void>): () => void {
	let state: 'still' | 'looking' | 'again' = 'still';
	const run = async () => {
		do {
			state = 'looking';
			await look();
		} while (isAgain());
		state = 'still';
	};
	const isAgain = () => state === 'again';
	return () => {
		if (state === 'still') void run();
		else state = 'again';
	};
}

/** The directory may come later, and a watch of it may end: then it is looked at by the clock alone until `ensure` gets one. */
function createDirectoryWatch(path: string, name: string, onChange: () => void): Disposable & { ensure(): void } {
	let watcher: FSWatcher | undefined;
	const ensure = () => {
		if (watcher) return;
		try {
			const started = watch(path, { persistent: false }, (_, changed) => {
				if (changed === null || changed === name) onChange();
			});
			started.on('error', () => {
				started.close();
				watcher = undefined;
			});
			watcher = started;
		} catch {
			// Not there yet, or no watches are left on this machine: the clock looks instead.
		}
	};
	ensure();
	return { ensure, [Symbol.dispose]: () => watcher?.close() };
}
