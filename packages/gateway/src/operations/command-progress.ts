// Progress of long-running commands: each reports lines while it runs, and clients can poll them.
import type { CommandProgress } from '@roost/protocol/api/agent-commands';

export type CommandProgressBoard = {
	/** Runs a command under its id; its lines are available until soon after its end. */
	run<T>(id: string, work: (report: (line: string) => void) => Promise<T>): Promise<T>;
	read(id: string): CommandProgress;
};

type Entry = { startedAt: number; running: boolean; lines: string[]; dropped: number };

const MOST_LINES = 50;
const MOST_ENTRIES = 64;

export function createCommandProgress(now: () => number): CommandProgressBoard {
	const entries = new Map<string, Entry>();

	function open(id: string): Entry {
		const entry: Entry = { startedAt: now(), running: true, lines: [], dropped: 0 };
		entries.set(id, entry);
		const oldest = entries.keys().next();
		if (entries.size > MOST_ENTRIES && !oldest.done) entries.delete(oldest.value);
		return entry;
	}
	return {
		async run(id, work) {
			const entry = open(id);
			try {
				return await work((line) => {
					entry.lines.push(line);
					if (entry.lines.length <= MOST_LINES) return;
					entry.lines.shift();
					entry.dropped += 1;
				});
			} finally {
				entry.running = false;
			}
		},
		read(id) {
			const entry = entries.get(id);
			if (!entry) return { running: false, elapsedMs: 0, lines: [], dropped: 0 };
			const { running, lines, dropped, startedAt } = entry;
			return { running, elapsedMs: Math.max(0, now() - startedAt), lines: [...lines], dropped };
		},
	};
}
