// The current screen of a terminal, kept by a headless one that reads the same bytes, for viewers that attach later.
import type { TerminalSize } from '@roost/machine/terminal-process';
import { createByteQueue } from './byte-queue.ts';
import { createHeadlessTerminal } from './headless-terminal.ts';

export type Screen = Disposable & {
	/** Whole characters and sequences; processed in order, asynchronously. */
	write(bytes: Buffer): void;
	resize(size: TerminalSize): void;
	/** After everything that was written so far. */
	snapshot(options: { scrollback: number }): Promise<Snapshot>;
	backlog(): number;
	lines(): string[];
};

/** Bytes that draw the screen on an empty terminal of this size, as of a position in the output. */
export type Snapshot = { position: number; size: TerminalSize; bytes: Buffer };

type Item =
	/** Up to this position of the output. */
	| { type: 'bytes'; end: number }
	| { type: 'resize'; size: TerminalSize }
	| { type: 'snapshot'; scrollback: number; resolve(snapshot: Snapshot): void };

/** Then keys and sockets are handled. */
const TURN_MS = 4;
/** Heavy output: processing is delayed while it continues, because most of it can be skipped later. */
const FLOOD_BYTES = 64 * 1024;
const LAZY_MS = 20;
/** From here on, skipping invisible text is worth it. */
const SKIP_BYTES = 512 * 1024;
/** The delayed backlog is bounded, because a snapshot has to wait for it. */
const LAZY_BYTES = 2 * 1024 * 1024;
/** A larger snapshot gets less scrollback. */
const MOST_SNAPSHOT_BYTES = 8 * 1024 * 1024;

export function createScreen(deps: {
	size: TerminalSize;
	scrollbackLines: number;
	/** The terminal's reply to a query of the program; `since` is where the piece with the query began. */
	onReply(text: string, since: number): void;
	onRead(): void;
}): Screen {
	const { size, scrollbackLines, onReply, onRead } = deps;
	const open = (wanted: TerminalSize) =>
		createHeadlessTerminal(wanted, { scrollbackLines, onReply: (text) => onReply(text, read) });
	let terminal = open(size);
	const unread = createByteQueue();
	const queue: Item[] = [];
	let written = 0;
	let read = 0;
	let skippedAt = 0;
	/** Everything unread up to here is plain text. */
	let plainTo = 0;
	let writtenAt = 0;
	let cancelTurn: (() => void) | undefined;

	function add(item: Item): void {
		queue.push(item);
		cancelTurn ??= soon(readOn);
	}

	/** Not while a snapshot is requested. */
	function isFlooded(): boolean {
		const isOngoing = performance.now() - writtenAt < LAZY_MS;
		return isOngoing && written - read >= FLOOD_BYTES && queue.every(({ type }) => type === 'bytes');
	}

	function readOn(): void {
		const flooded = isFlooded();
		if (flooded && written - read >= LAZY_BYTES) skipUnseen();
		if (flooded && written - read < LAZY_BYTES) {
			cancelTurn = later(readOn);
			return;
		}
		const until = performance.now() + TURN_MS;
		while (queue.length > 0 && performance.now() < until) {
			if (written - read >= SKIP_BYTES) skipUnseen();
			const item = queue.shift();
			if (item) take(item);
		}
		cancelTurn = queue.length > 0 ? soon(readOn) : undefined;
		onRead();
	}

	function take(item: Item): void {
		if (item.type === 'bytes') readBytes(item);
		else if (item.type === 'resize') terminal.resize(item.size);
		else item.resolve(draw(item.scrollback));
	}

	function readBytes({ end }: Extract<Item, { type: 'bytes' }>): void {
		if (!terminal.read(unread.view(0, end - read))) terminal = open(terminal.size());
		moveTo(end);
	}

	function moveTo(position: number): void {
		unread.drop(position - read);
		read = position;
	}

	/** Only at the front of the queue: earlier bytes may change how later ones scroll. */
	function skipUnseen(): void {
		if (!terminal.scrollsWhole() || written - skippedAt < SKIP_BYTES) return;
		const marker = queue.findIndex(({ type }) => type !== 'bytes');
		const last = marker < 0 ? queue.at(-1) : queue[marker - 1];
		if (last?.type !== 'bytes') return;
		const from = Math.max(plainTo, read);
		plainTo = from + plainLength(unread.view(from - read, last.end - read));
		// Twice the screen: lines scroll only once the cursor is at the bottom.
		const lines = scrollbackLines + 2 * terminal.size().rows;
		const seen = findSeen(unread.view(0, plainTo - read), lines);
		// Not again for every piece of the same run.
		if (plainTo > read) skippedAt = written;
		if (seen < 0) return;
		moveTo(read + seen);
		while (queue[0]?.type === 'bytes' && queue[0].end <= read) queue.shift();
	}

	function draw(scrollback: number): Snapshot {
		const bytes = terminal.serialise(scrollback);
		if (bytes.length > MOST_SNAPSHOT_BYTES && scrollback > 0) return draw(Math.floor(scrollback / 2));
		return { position: read, size: terminal.size(), bytes };
	}

	return {
		write(bytes) {
			if (bytes.length === 0) return;
			unread.add(bytes);
			written += bytes.length;
			add({ type: 'bytes', end: written });
			writtenAt = performance.now();
		},
		resize: (next) => add({ type: 'resize', size: next }),
		snapshot: ({ scrollback }) => new Promise((resolve) => add({ type: 'snapshot', scrollback, resolve })),
		backlog: () => written - read,
		lines: () => terminal.lines(),
		[Symbol.dispose]() {
			cancelTurn?.();
			terminal[Symbol.dispose]();
		},
	};
}

function soon(action: () => void): () => void {
	const turn = setImmediate(action);
	return () => clearImmediate(turn);
}

function later(action: () => void): () => void {
	const timer = setTimeout(action, LAZY_MS);
	return () => clearTimeout(timer);
}

/** Where the last `lines` lines of plain text begin, or -1: what is before has left the scrollback and need not be processed. */
function findSeen(bytes: Buffer, lines: number): number {
	let feeds = 0;
	for (let at = bytes.length - 1; at > 0; at--) {
		if (bytes[at] !== 0x0a || bytes[at - 1] !== 0x0d) continue;
		feeds++;
		if (feeds === lines) return at - 1;
	}
	return -1;
}

/** How much of it is printable text and line ends: nothing that changes how later text is shown. */
function plainLength(bytes: Buffer): number {
	for (let at = 0; at < bytes.length; at++) if (!PLAIN[bytes[at] ?? 0]) return at;
	return bytes.length;
}

/** C1 controls begin with 0xc2. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
	const isText = (byte >= 0x20 && byte !== 0x7f && byte !== 0xc2) || byte === 0x0a || byte === 0x0d || byte === 0x09;
	return isText ? 1 : 0;
});
