// Progress on stderr, for work that takes longer than a moment.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';

type Progress = Disposable & { tell(progress: { done: number; total: number }): void };

const A_MOMENT_MS = 1_000;

export function startProgress(
	stream: { isTTY?: boolean; write(text: string): unknown },
	what: string,
	now: () => number = () => performance.now(),
): Progress {
	const since = now();
	let told = '';
	return {
		tell({ done, total }) {
			if (now() - since < A_MOMENT_MS) return;
			const line = total > 0 ? `${what}: ${done} of ${total}` : `${what} …`;
			if (line === told || (told !== '' && !stream.isTTY)) return;
			told = line;
			stream.write(stream.isTTY ? `\r\x1b[K${line}` : `${what} …\n`);
		},
		[Symbol.dispose]() {
			if (told !== '' && stream.isTTY) stream.write('\r\x1b[K');
		},
	};
}

type WaitOptions = { json?: boolean | undefined };

const LOOK_MS = 500;

export async function waitForCommand<T>(
	commands: ApiClient['commands'],
	id: string,
	options: WaitOptions,
	work: (id: string) => Promise<T>,
): Promise<T> {
	const teller = createTeller(options);
	const looks = setInterval(() => void look(), LOOK_MS);
	let done = false;

	async function look(): Promise<void> {
		const progress = await commands.progress({ id });
		if (!done && progress.ok) teller.tell(progress.value);
	}
	try {
		return await work(id);
	} finally {
		done = true;
		clearInterval(looks);
		teller.clear();
	}
}

type CommandProgress = { elapsedMs: number; lines: readonly string[]; dropped: number };

function createTeller({ json }: WaitOptions) {
	const showsTime = !json && process.stderr.isTTY === true;
	let told = 0;

	function clear(): void {
		if (showsTime) process.stderr.write('\r\u001b[K');
	}
	return {
		clear,
		tell({ elapsedMs, lines, dropped }: CommandProgress): void {
			clear();
			for (const line of lines.slice(Math.max(0, told - dropped))) {
				process.stderr.write(json ? `${JSON.stringify({ progress: line })}\n` : `${sanitiseLine(line)}\n`);
			}
			told = dropped + lines.length;
			if (showsTime) process.stderr.write(`… ${Math.round(elapsedMs / 1_000)} s`);
		},
	};
}
