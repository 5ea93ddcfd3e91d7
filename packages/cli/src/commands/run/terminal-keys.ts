// Keys of the terminal that a run was started in: read in raw mode, and only while a request is pending.
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import { readStat } from '@roost/machine/process-table';

export type TerminalKeys = Disposable & {
	/** False for a background job, which would be stopped for reading. */
	areOurs(): boolean;
	listen(onKey: (key: string) => void): void;
	release(): void;
	/** Edits a line that starts as `text`; undefined if cancelled. */
	readLine(question: string, text: string, signal: AbortSignal): Promise<string | undefined>;
};

type Streams = Pick<NodeJS.Process, 'stdin' | 'stderr'>;

export function openTerminalKeys({ stdin, stderr }: Streams): TerminalKeys | undefined {
	const input = stderr.isTTY ? (stdin.isTTY ? stdin : openTerminal()) : undefined;
	return input && createTerminalKeys(input, stderr);
}

/** stdin was piped, but there may still be a terminal. */
function openTerminal(): ReadStream | undefined {
	try {
		return new ReadStream(openSync('/dev/tty', 'r')).pause();
	} catch {
		return undefined;
	}
}

function createTerminalKeys(input: ReadStream, output: NodeJS.WriteStream): TerminalKeys {
	let onData: ((chunk: Buffer) => void) | undefined;

	function release(): void {
		if (!onData) return;
		input.off('data', onData);
		onData = undefined;
		input.setRawMode(false);
		input.pause();
	}

	return {
		areOurs: isForeground,
		listen(onKey) {
			release();
			onData = (chunk) => {
				const key = chunk.toString('utf8');
				// A terminal in raw mode sends no signal.
				if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
				// Several characters at once were pasted.
				else if (key.length === 1) onKey(key);
			};
			input.setRawMode(true);
			input.on('data', onData);
			input.resume();
		},
		release,
		async readLine(question, text, signal) {
			release();
			using line = createInterface({ input, output, terminal: true });
			const left = new AbortController();
			line.once('close', () => left.abort());
			const edited = line.question(question, { signal: AbortSignal.any([signal, left.signal]) });
			line.write(text);
			// Cancelled by Ctrl-C or Ctrl-D, or answered elsewhere.
			return await edited.catch(() => undefined);
		},
		[Symbol.dispose]() {
			release();
			if (input !== process.stdin) input.destroy();
		},
	};
}

const CTRL_C = '\x03';

/** True if unknown. */
function isForeground(): boolean {
	const stat = readStat('self');
	return stat === null || stat.group === stat.foreground;
}
