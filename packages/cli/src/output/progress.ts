// Progress on stderr, for work that takes longer than a moment.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';

type Progress = Disposable & { update(progress: { done: number; total: number }): void };

const DELAY_MS = 1_000;

export function startProgress(
	stream: { isTTY?: boolean; write(text: string): unknown },
	what: string,
	now: () => number = () => performance.now(),
): Progress {
	const since = now();
	let shown = '';
	return {
		update({ done, total }) {
			if (now() - since < DELAY_MS) return;
			const line = total > 0 ? `${what}: ${done} of ${total}` : `${what} …`;
			if (line === shown || (shown !== '' && !stream.isTTY)) return;
			shown = line;
			stream.write(stream.isTTY ? `\r\x1b[K${line}` : `${what} …\n`);
		},
		[Symbol.dispose]() {
			if (shown !== '' && stream.isTTY) stream.write('\r\x1b[K');
		},
	};
}

const POLL_MS = 500;

/** Waits for a long command of the runner; prints its output, and on a terminal the elapsed time. */
export async function waitForCommand<T>(
	commands: ApiClient['commands'],
	id: string,
	{ json }: { json?: boolean | undefined },
	work: (id: string) => Promise<T>,
): Promise<T> {
	const showsTime = !json && process.stderr.isTTY === true;
	let printed = 0;
	let done = false;
	const clear = () => void (showsTime && process.stderr.write('\r\u001b[K'));

	async function poll(): Promise<void> {
		const progress = await commands.progress({ id });
		if (done || !progress.ok) return;
		const { elapsedMs, lines, dropped } = progress.value;
		clear();
		for (const line of lines.slice(Math.max(0, printed - dropped)))
			process.stderr.write(json ? `${JSON.stringify({ progress: line })}\n` : `${sanitiseLine(line)}\n`);
		printed = dropped + lines.length;
		if (showsTime) process.stderr.write(`… ${Math.round(elapsedMs / 1_000)} s`);
	}

	const polling = setInterval(() => void poll(), POLL_MS);
	try {
		return await work(id);
	} finally {
		done = true;
		clearInterval(polling);
		clear();
	}
}
