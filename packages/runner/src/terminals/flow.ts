// Flow control: a program is paused only while no viewer keeps up. A slow viewer among faster ones gets a snapshot instead.
import type { TerminalProcess } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import { HIGH_WATERMARK, LOW_WATERMARK } from '@roost/protocol/api/terminals';

/** A viewer that gets every byte. */
export type Follower = {
	/** Sent and not confirmed. */
	inFlight(): number;
	/** The confirmed position. */
	confirmed(): number;
	/** Sends nothing more until it has confirmed everything; then it gets a snapshot. */
	fallBehind(): void;
};

/** Limits of the screen's backlog: higher, because the screen skips text that nobody can see. */
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
	/** Bytes that the screen has not read. */
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
