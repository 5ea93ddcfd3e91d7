// Says how far something is, once it takes longer than a moment; on a terminal in one line that goes away again.

export type Progress = Disposable & { tell(progress: { done: number; total: number }): void };

/** What is done in less is not worth a word. */
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
