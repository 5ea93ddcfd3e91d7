// A reply that is longer than one message, as several: the first byte of each says whether more follow.
import { MOST_LINK_FRAME } from '@roost/protocol/hub/link-frames';

const MORE = 0;
const LAST = 1;
const FAILED = 2;
const PART_BYTES = 512 * 1024;

/** Undefined: there is no reply. */
export function* splitReply(text: string | undefined): Generator<Uint8Array> {
	const bytes = text === undefined ? undefined : Buffer.from(text);
	if (bytes === undefined || bytes.length > MOST_LINK_FRAME) {
		yield Uint8Array.of(FAILED);
		return;
	}
	let at = 0;
	do {
		const part = bytes.subarray(at, at + PART_BYTES);
		at += PART_BYTES;
		yield Buffer.concat([Uint8Array.of(at < bytes.length ? MORE : LAST), part]);
	} while (at < bytes.length);
}

/** Takes the parts in order; `done` is called once, with undefined if there is no reply. */
export function joinParts(done: (text: string | undefined) => void): (part: Uint8Array) => void {
	const parts: Uint8Array[] = [];
	let bytes = 0;
	return (part) => {
		const rest = part.subarray(1);
		bytes += rest.length;
		if (part[0] === FAILED || bytes > MOST_LINK_FRAME) return done(undefined);
		parts.push(rest);
		if (part[0] === LAST) done(Buffer.concat(parts).toString());
	};
}
