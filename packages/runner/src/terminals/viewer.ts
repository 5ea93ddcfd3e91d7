// One viewer of a terminal: gets a snapshot and every byte after it; another snapshot when it falls behind.
import type { TerminalSink } from '@roost/gateway/operations/backend';
import type { TerminalProcess, TerminalSize } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import { HIGH_WATERMARK, LOW_WATERMARK } from '@roost/protocol/api/terminals';
import type { Snapshot } from './screen.ts';

export type Viewer = Follower & {
	readonly sink: TerminalSink;
	readonly scrollback: number;
	give(bytes: Buffer): void;
	resize(size: TerminalSize): void;
	/** A snapshot is being taken: later bytes and sizes are kept until it is shown. */
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
	let kept: (Buffer | TerminalSize)[] = [];
	let began = 0;
	let sent = 0;
	let acked = 0;
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
			if (state === 'keeping') kept.push(Buffer.from(bytes));
			if (state === 'following') send(bytes);
		},
		/** The next snapshot has the size of its time. */
		resize(size) {
			if (state === 'keeping') kept.push(size);
			if (state === 'following') sink.frame({ type: 'resized', ...size });
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
			for (const next of since) {
				if (Buffer.isBuffer(next)) send(next);
				else this.resize(next);
			}
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

/** A viewer that gets every byte. */
type Follower = {
	inFlight(): number;
	confirmed(): number;
	/** Sends nothing more until it has confirmed everything; then it gets a snapshot. */
	fallBehind(): void;
};

/** Limits of the screen's backlog: higher, because the screen skips invisible text. */
const SCREEN_HIGH = 8 * 1024 * 1024;
const SCREEN_LOW = 2 * 1024 * 1024;
/** A viewer that confirms nothing for this long falls behind. */
const STALL_MS = 3_000;
/** In steps: while this process is suspended, confirmations wait in the sockets, and only one step passes. */
const STALL_STEPS = 6;

export function createFlow(deps: {
	process: Pick<TerminalProcess, 'pause' | 'resume'>;
	timers: Timers;
	followers: () => readonly Follower[];
	backlog: () => number;
}) {
	let paused = false;
	let holds = 0;
	let screenLags = false;
	let viewersLag = false;
	let cancelStall = () => {};

	function check(): void {
		const backlog = deps.backlog();
		screenLags = screenLags ? backlog > SCREEN_LOW : backlog >= SCREEN_HIGH;
		setViewersLag(isNoneKeepingUp());
		const wait = holds > 0 || screenLags || viewersLag;
		if (wait === paused) return;
		paused = wait;
		if (wait) deps.process.pause();
		else deps.process.resume();
	}

	function isNoneKeepingUp(): boolean {
		const followers = deps.followers();
		const mark = viewersLag ? LOW_WATERMARK : HIGH_WATERMARK;
		return followers.length > 0 && followers.every((follower) => follower.inFlight() >= mark);
	}

	function setViewersLag(lag: boolean): void {
		if (lag === viewersLag) return;
		viewersLag = lag;
		cancelStall();
		if (lag) watchStall();
	}

	function watchStall(before = confirmedNow(), steps = STALL_STEPS): void {
		cancelStall = deps.timers.after(STALL_MS / STALL_STEPS, () => {
			if (steps > 1) return watchStall(before, steps - 1);
			for (const follower of deps.followers()) if (before.get(follower) === follower.confirmed()) follower.fallBehind();
			check();
			if (viewersLag) watchStall();
		});
	}

	function confirmedNow(): ReadonlyMap<Follower, number> {
		return new Map(deps.followers().map((follower) => [follower, follower.confirmed()]));
	}

	return {
		/** To be called whenever bytes are written, read or confirmed, or a viewer comes or goes. */
		check,
		/** Pauses the program for a snapshot until the returned function is called. */
		hold(): () => void {
			holds++;
			check();
			let held = true;
			return () => {
				if (held) holds--;
				held = false;
				check();
			};
		},
		[Symbol.dispose]: () => cancelStall(),
	};
}
