// Waits for a long command of the runner and meanwhile says on stderr what it says, and for how long it has been at it.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';

export type WaitOptions = { json?: boolean | undefined };

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

type Progress = { elapsedMs: number; lines: readonly string[]; dropped: number };

function createTeller({ json }: WaitOptions) {
	const showsTime = !json && process.stderr.isTTY === true;
	let told = 0;

	function clear(): void {
		if (showsTime) process.stderr.write('\r\u001b[K');
	}
	return {
		clear,
		tell({ elapsedMs, lines, dropped }: Progress): void {
			clear();
			for (const line of lines.slice(Math.max(0, told - dropped))) {
				process.stderr.write(json ? `${JSON.stringify({ progress: line })}\n` : `${sanitiseLine(line)}\n`);
			}
			told = dropped + lines.length;
			if (showsTime) process.stderr.write(`… ${Math.round(elapsedMs / 1_000)} s`);
		},
	};
}
