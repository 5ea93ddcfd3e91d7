// What a terminal showed, as a file that players of asciicast v2 play again. What people type is not in it; secrets that were shown are.
import { closeSync, fstatSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { openPrivateLog } from '@roost/machine/private-file';
import type { TerminalSize } from '@roost/machine/terminal-process';
import type { TerminalId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';

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
	/** When an earlier runner began it: this one goes on where that one ended. */
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
	return file.ok ? ok(createRecording(file.value, path, deps)) : err(file.error);
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
		// The clock may be set back, and a recording only goes on.
		last = Math.max(last, deps.now() - startedAt);
		const line = `${JSON.stringify([last / 1_000, type, text])}\n`;
		if (written + buffered + line.length > mostBytes && type !== 'm') {
			add('m', `The recording was cut here: it is full at ${mostBytes} bytes.`);
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
			// The terminal goes on; it is only no longer recorded.
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

	function resize({ cols, rows }: TerminalSize): void {
		add('r', `${cols}x${rows}`);
	}

	if (written > 0) {
		add('m', 'Another runner goes on here: what was shown meanwhile is missing, and the screen is drawn anew.');
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
