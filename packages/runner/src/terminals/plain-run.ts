// Lines of a flood that nobody can see any more: a headless terminal need not read what has left its scrollback before it was read.

/** How much of the front of a queue need not be read: whole pieces, then bytes of the piece that comes after them. */
export type Unseen = { pieces: number; bytes: number };

/**
 * The pieces are plain text from the front of the queue on, and a terminal that reads them scrolls as a whole. Then only the last
 * `lines` line feeds count, if reading begins at the start of a line.
 */
export function findUnseen(pieces: readonly Buffer[], lines: number): Unseen | undefined {
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
export function isPlain(bytes: Buffer): boolean {
	for (let at = 0; at < bytes.length; at++) if (!PLAIN[bytes[at] ?? 0]) return false;
	return true;
}

/** C1 controls begin with 0xc2, so nothing that does is plain. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
	const isText = (byte >= 0x20 && byte !== 0x7f && byte !== 0xc2) || byte === 0x0a || byte === 0x0d || byte === 0x09;
	return isText ? 1 : 0;
});
