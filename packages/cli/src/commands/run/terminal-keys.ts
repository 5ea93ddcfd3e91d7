// The keys of the terminal that a run was started in: read only while a request waits there, and then raw.
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import { readStat } from '@roost/machine/process-table';

export type TerminalKeys = Disposable & {
	/** Whether keys come here: a job in the background gets none, and would be stopped for trying. */
	areOurs(): boolean;
	/** Each key that is pressed from now on, until `release`. */
	listen(onKey: (key: string) => void): void;
	release(): void;
	/** A line that starts as `text` and is edited; undefined where it was given up. */
	readLine(question: string, text: string, signal: AbortSignal): Promise<string | undefined>;
};

type Streams = Pick<NodeJS.Process, 'stdin' | 'stderr'>;

/** Undefined where there is no terminal to ask in. */
export function openTerminalKeys({ stdin, stderr }: Streams): TerminalKeys | undefined {
	const input = stderr.isTTY ? (stdin.isTTY ? stdin : openTerminal()) : undefined;
	return input && createTerminalKeys(input, stderr);
}

/** The prompt was piped in: its user still sits at the terminal. */
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
				// The terminal sends no signal while it is raw.
				if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
				// Several at once were pasted, and meant for something else.
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
			// Left without an answer: by Ctrl-C or Ctrl-D, or because somebody else answered.
			return await edited.catch(() => undefined);
		},
		[Symbol.dispose]() {
			release();
			if (input !== process.stdin) input.destroy();
		},
	};
}

const CTRL_C = '\x03';

/** Where the system does not tell, whoever has a terminal is taken to be in front of it. */
function isForeground(): boolean {
	const stat = readStat('self');
	return stat === null || stat.group === stat.foreground;
}
