// What a terminal shows, kept by a headless one that reads the same bytes: so that whoever comes later sees it too.
import type { TerminalSize } from '@roost/machine/terminal-process';
import { createHeadlessTerminal } from './headless-terminal.ts';

export type Screen = Disposable & {
	/** Whole characters and sequences; they are read in order, a moment later. */
	write(bytes: Buffer): void;
	resize(size: TerminalSize): void;
	/** As it is after everything that was written so far. */
	snapshot(options: { scrollback: number }): Promise<Snapshot>;
	/** Bytes that were written and not read yet. */
	backlog(): number;
	/** The text of what was read so far. */
	lines(): string[];
};

/** Bytes that draw the screen on an empty terminal of this size, as of a position in what was written. */
export type Snapshot = { position: number; size: TerminalSize; bytes: Buffer };

type ScreenDeps = {
	size: TerminalSize;
	scrollbackLines: number;
	/** What a terminal answers to a question of the program; `since` is where the piece with the question began. */
	onReply(text: string, since: number): void;
	/** Something was read. */
	onRead(): void;
};

type Item =
	| { type: 'bytes'; bytes: Buffer; start: number }
	| { type: 'resize'; size: TerminalSize }
	| { type: 'snapshot'; scrollback: number; resolve(snapshot: Snapshot): void };

/** Keys and sockets get their turn in between. */
const TURN_MS = 4;
/** So much at once is the beginning of a flood. While it goes on it is left lying, because most of it need not be read when it has passed. */
const FLOOD_BYTES = 64 * 1024;
const LAZY_MS = 20;
/** From here on it is worth looking for what nobody can see any more. */
const SKIP_BYTES = 512 * 1024;
/** More is not left lying: whoever wants a snapshot would have to wait for it. */
const LAZY_BYTES = 6 * 1024 * 1024;
/** A snapshot that would be larger brings less scrollback along. */
const MOST_SNAPSHOT_BYTES = 8 * 1024 * 1024;

export function createScreen({ size, scrollbackLines, onReply, onRead }: ScreenDeps): Screen {
	const open = (wanted: TerminalSize) =>
		createHeadlessTerminal(wanted, { scrollbackLines, onReply: (text) => onReply(text, read) });
	let terminal = open(size);
	let queue: Item[] = [];
	let written = 0;
	let read = 0;
	let lookedAt = 0;
	let writtenAt = 0;
	let cancelTurn: (() => void) | undefined;

	function add(item: Item): void {
		queue.push(item);
		cancelTurn ??= soon(readOn);
	}

	/** Somebody who waits for a snapshot waits no longer than it takes to read. */
	function isFlooded(): boolean {
		const goesOn = performance.now() - writtenAt < LAZY_MS;
		return goesOn && written - read >= FLOOD_BYTES && queue.every(({ type }) => type === 'bytes');
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

	function readBytes({ bytes, start }: Extract<Item, { type: 'bytes' }>): void {
		read = start;
		if (!terminal.read(bytes)) terminal = open(terminal.size());
		read = start + bytes.length;
	}

	/** Only what is at the front: what comes before a piece may change how it scrolls. */
	function skipUnseen(): void {
		if (!terminal.scrollsWhole() || written - lookedAt < SKIP_BYTES) return;
		const plain: Extract<Item, { type: 'bytes' }>[] = [];
		for (const item of queue) {
			if (item.type !== 'bytes' || !isPlain(item.bytes)) break;
			plain.push(item);
		}
		// Once for each so many bytes: the same run need not be looked through for every piece of it.
		if (plain.length > 0) lookedAt = written;
		// Twice the screen: until the cursor is at the bottom, lines do not push others out.
		const lines = scrollbackLines + 2 * terminal.size().rows;
		const unseen = findUnseen(
			plain.map(({ bytes }) => bytes),
			lines,
		);
		const first = unseen && plain[unseen.pieces];
		if (!first) return;
		const rest = { type: 'bytes' as const, bytes: first.bytes.subarray(unseen.bytes), start: first.start + unseen.bytes };
		queue = [rest, ...queue.slice(unseen.pieces + 1)];
		read = rest.start;
	}

	function draw(scrollback: number): Snapshot {
		const bytes = terminal.serialise(scrollback);
		if (bytes.length > MOST_SNAPSHOT_BYTES && scrollback > 0) return draw(Math.floor(scrollback / 2));
		return { position: read, size: terminal.size(), bytes };
	}

	return {
		write(bytes) {
			if (bytes.length === 0) return;
			add({ type: 'bytes', bytes, start: written });
			written += bytes.length;
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

/** How much of the front of a queue need not be read: whole pieces, then bytes of the piece that comes after them. */
type Unseen = { pieces: number; bytes: number };

/**
 * The pieces are plain text from the front of the queue on, and a terminal that reads them scrolls as a whole. Then only the last
 * `lines` line feeds count, if reading begins at the start of a line.
 */
function findUnseen(pieces: readonly Buffer[], lines: number): Unseen | undefined {
	let feeds = 0;
	for (let index = pieces.length - 1; index >= 0; index--) {
		const piece = pieces[index];
		if (!piece) continue;
		for (let at = piece.lastIndexOf('\r\n'); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf('\r\n', at - 1)) {
			feeds++;
			if (feeds >= lines) return { pieces: index, bytes: at };
		}
	}
	return undefined;
}

/** Printable text and line ends, whatever the language: nothing that would change how later text is shown. */
function isPlain(bytes: Buffer): boolean {
	for (let at = 0; at < bytes.length; at++) if (!PLAIN[bytes[at] ?? 0]) return false;
	return true;
}

/** C1 controls begin with 0xc2, so nothing that does is plain. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
	const isText = (byte >= 0x20 && byte !== 0x7f && byte !== 0xc2) || byte === 0x0a || byte === 0x0d || byte === 0x09;
	return isText ? 1 : 0;
});
