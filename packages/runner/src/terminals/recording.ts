// A recording of a terminal's output as asciicast v2. Contains no typed input, but any secret that was shown.
import { closeSync, fstatSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { openPrivateLog } from '@roost/machine/private-file';
import type { TerminalSize } from '@roost/machine/terminal-process';
import type { TerminalId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';

export type Recording = Disposable & {
	readonly path: string;
	readonly startedAt: number;
	/** Whole characters. */
	output(bytes: Buffer): void;
	resize(size: TerminalSize): void;
};

export type RecordingDeps = {
	directory: string;
	id: TerminalId;
	size: TerminalSize;
	title: string;
	/** When an earlier runner started it; this one appends. */
	since?: number | undefined;
	now: () => number;
	mostBytes?: number;
	warn: (sentence: string) => void;
};

const MOST_BYTES = 64 * 1024 * 1024;
const BUFFERED_BYTES = 64 * 1024;

export function openRecording(deps: RecordingDeps): Result<Recording> {
	const safe = ensurePrivateDirectory(deps.directory, 'close');
	if (!safe.ok) return safe;
	const path = join(deps.directory, `${deps.id}.cast`);
	const file = openPrivateLog(path);
	return file.ok ? ok(createRecording(file.value, path, deps)) : file;
}

function createRecording(file: number, path: string, deps: RecordingDeps): Recording {
	const startedAt = deps.since ?? deps.now();
	const { mostBytes = MOST_BYTES } = deps;
	let lines: string[] = [];
	let buffered = 0;
	let written = fstatSync(file).size;
	let open = true;
	let last = 0;

	function add(type: 'o' | 'r' | 'm', text: string): void {
		if (!open) return;
		// The clock may be set back; times in a recording only grow.
		last = Math.max(last, deps.now() - startedAt);
		const line = `${JSON.stringify([last / 1_000, type, text])}\n`;
		if (written + buffered + line.length > mostBytes && type !== 'm') {
			add('m', `The recording ends here: it reached its limit of ${mostBytes} bytes.`);
			close();
			return;
		}
		lines.push(line);
		buffered += Buffer.byteLength(line);
		if (buffered >= BUFFERED_BYTES) flush();
	}

	function flush(): void {
		const text = lines.join('');
		lines = [];
		written += buffered;
		buffered = 0;
		try {
			writeSync(file, text);
		} catch (cause) {
			deps.warn(`${path} cannot be written, so this terminal is no longer recorded: ${String(cause)}`);
			open = false;
			closeSync(file);
		}
	}

	function close(): void {
		if (open) flush();
		if (open) closeSync(file);
		open = false;
	}

	const resize = ({ cols, rows }: TerminalSize) => add('r', `${cols}x${rows}`);
	if (written > 0) {
		add('m', 'Continued by another runner: output in between is missing, and the screen is redrawn.');
		resize(deps.size);
	} else {
		const { cols, rows } = deps.size;
		const header = { version: 2, width: cols, height: rows, timestamp: Math.floor(startedAt / 1_000), title: deps.title };
		lines.push(`${JSON.stringify(header)}\n`);
		buffered = Buffer.byteLength(lines.join(''));
	}
	return {
		path,
		startedAt,
		output: (bytes) => add('o', bytes.toString()),
		resize,
		[Symbol.dispose]: close,
	};
}
