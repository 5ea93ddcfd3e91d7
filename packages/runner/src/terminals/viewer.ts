// One viewer of a terminal: gets a snapshot and every byte after it; another snapshot when it falls behind.
import type { TerminalSink } from '@roost/gateway/operations/backend';
import { HIGH_WATERMARK, LOW_WATERMARK } from '@roost/protocol/api/terminals';
import type { Follower } from './flow.ts';
import type { Snapshot } from './screen.ts';

export type Viewer = Follower & {
	readonly sink: TerminalSink;
	readonly scrollback: number;
	give(bytes: Buffer): void;
	/** A snapshot is being taken: later bytes are kept until it is shown. */
	keep(): void;
	show(snapshot: Snapshot): void;
	/** True if it has confirmed enough to get a snapshot again. */
	ack(position: number): boolean;
	/** Whether it gets every byte since that position. */
	follows(since: number): boolean;
	isFollowing(): boolean;
};

/** How far a viewer may be behind faster ones before it gets a snapshot instead. */
const MOST_IN_FLIGHT = 4 * HIGH_WATERMARK;
const FRAME_BYTES = 256 * 1024;

export function createViewer(sink: TerminalSink, scrollback: number): Viewer {
	let state: 'waiting' | 'keeping' | 'following' | 'behind' = 'waiting';
	let kept: Buffer[] = [];
	let began = 0;
	let sent = 0;
	let acked = 0;
	/** Unconfirmed bytes of the snapshot. */
	let drawing = 0;

	function inFlight(): number {
		return drawing + sent - acked;
	}

	function fallBehind(): void {
		if (state === 'following') state = 'behind';
	}

	function send(bytes: Buffer) {
		if (inFlight() + bytes.length > MOST_IN_FLIGHT) return fallBehind();
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
