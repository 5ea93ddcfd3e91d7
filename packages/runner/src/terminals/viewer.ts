// One viewer of a terminal: a snapshot, then every byte after it, for as long as it keeps up; else the next snapshot.
import type { TerminalSink } from '@roost/gateway/operations/backend';
import { HIGH_WATERMARK, LOW_WATERMARK } from '@roost/protocol/api/terminals';
import type { Follower } from './flow.ts';
import type { Snapshot } from './screen.ts';

export type Viewer = Follower & {
	readonly sink: TerminalSink;
	readonly scrollback: number;
	/** New bytes. */
	give(bytes: Buffer): void;
	/** A snapshot is being taken as of now: what comes meanwhile follows it. What came before is in it. */
	keep(): void;
	show(snapshot: Snapshot): void;
	/** True where it has confirmed enough to get a snapshot again. */
	ack(position: number): boolean;
	/** Whether it is shown every byte since that position. */
	follows(since: number): boolean;
	isFollowing(): boolean;
};

/** How far a viewer may fall behind others that keep up, before it gets no more bytes. */
const MOST_IN_FLIGHT = 4 * HIGH_WATERMARK;
/** Large snapshots go in several frames. */
const FRAME_BYTES = 256 * 1024;

export function createViewer(sink: TerminalSink, scrollback: number): Viewer {
	let state: 'waiting' | 'keeping' | 'following' | 'behind' = 'waiting';
	/** Came after the snapshot that is being taken. */
	let kept: Buffer[] = [];
	let began = 0;
	let sent = 0;
	let acked = 0;
	/** Bytes of the snapshot, until it is confirmed. */
	let drawing = 0;

	function inFlight(): number {
		return drawing + sent - acked;
	}

	function fallBehind(): void {
		if (state === 'following') state = 'behind';
	}

	function send(bytes: Buffer): void {
		if (inFlight() + bytes.length > MOST_IN_FLIGHT) {
			fallBehind();
			return;
		}
		sent += bytes.length;
		sink.bytes(bytes);
	}

	return {
		sink,
		scrollback,
		inFlight,
		confirmed: () => acked,
		fallBehind,
		give(bytes) {
			if (state === 'keeping') kept.push(bytes);
			if (state === 'following') send(bytes);
		},
		keep() {
			state = 'keeping';
		},
		show({ position, size, bytes }) {
			began = sent = acked = position;
			drawing = bytes.length;
			sink.frame({ type: 'snapshot', position, bytes: bytes.length, ...size });
			for (let at = 0; at < bytes.length; at += FRAME_BYTES) sink.bytes(bytes.subarray(at, at + FRAME_BYTES));
			state = 'following';
			const since = kept;
			kept = [];
			for (const piece of since) send(piece);
		},
		ack(position) {
			if (state === 'waiting' || state === 'keeping' || position < acked) return false;
			acked = Math.min(position, sent);
			drawing = 0;
			if (state !== 'behind' || inFlight() > LOW_WATERMARK) return false;
			state = 'waiting';
			return true;
		},
		follows: (since) => state === 'following' && began <= since,
		isFollowing: () => state === 'following',
	};
}
