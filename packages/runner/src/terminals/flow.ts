// When a program has to wait: only while nobody keeps up with it. One slow viewer among quicker ones loses bytes and gets a snapshot instead.
import type { TerminalProcess } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import { HIGH_WATERMARK, LOW_WATERMARK } from '@roost/protocol/api/terminals';

export type Flow = Disposable & {
	/** Something was written, read, confirmed, or somebody came or went. */
	check(): void;
	/** The program waits until the returned function is called: a snapshot is being taken. */
	hold(): () => void;
};

/** A viewer that is shown every byte. */
export type Follower = {
	/** What it was given and has not confirmed. */
	inFlight(): number;
	/** How far it has confirmed. */
	confirmed(): number;
	/** It is given nothing more until it has confirmed what it has; then it gets a snapshot. */
	fallBehind(): void;
};

/** What the screen may have unread: it is given more, because it skips what nobody can see. */
const SCREEN_HIGH = 8 * 1024 * 1024;
const SCREEN_LOW = 2 * 1024 * 1024;
/** A viewer that confirms nothing for so long keeps nobody waiting any more. */
const STALL_MS = 3_000;
/** Time is counted in steps: while this process stands still, what was confirmed waits in its sockets, and only one step passes. */
const STALL_STEPS = 6;

export function createFlow(deps: {
	process: Pick<TerminalProcess, 'pause' | 'resume'>;
	timers: Timers;
	followers: () => readonly Follower[];
	/** Bytes that the screen has not read. */
	backlog: () => number;
}): Flow {
	let paused = false;
	let holds = 0;
	let screenLags = false;
	let viewersLag = false;
	let cancelStall = () => {};

	function check(): void {
		const backlog = deps.backlog();
		screenLags = screenLags ? backlog > SCREEN_LOW : backlog >= SCREEN_HIGH;
		setViewersLag(nobodyKeepsUp());
		const wait = holds > 0 || screenLags || viewersLag;
		if (wait === paused) return;
		paused = wait;
		if (wait) deps.process.pause();
		else deps.process.resume();
	}

	function nobodyKeepsUp(): boolean {
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
		check,
		hold() {
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
