// Passes the messages of a face and a runner on as they are. Whoever sends more than the other side takes is paused.

/** One message of a WebSocket. */
export type Message = { data: Buffer; isBinary: boolean };

export type ChannelEnd = {
	send(message: Message): void;
	/** Bytes that it was given and has not sent yet. */
	unsent(): number;
	/** Stops what comes from it. */
	pause(): void;
	resume(): void;
	close(end: ChannelClose): void;
};

/** `left`: on purpose, or the program has ended. `reason`: at most 123 bytes, shown to the user where the connection is lost. */
export type ChannelClose = { how: 'left' | 'lost'; reason: string };

export type ChannelSide = 'face' | 'runner';

/** What an end reports. Nothing comes after `closed`. */
export type EndEvents = { message(message: Message): void; drained(): void; closed(end: ChannelClose): void };

export type Pipe = {
	attach(side: ChannelSide, open: (events: EndEvents) => ChannelEnd): void;
	/** For both sides. */
	close(end: ChannelClose): void;
};

/** Of one side, and of the messages of a face whose runner has not joined yet. */
const MOST_UNSENT = 256 * 1024;
const LOW = 64 * 1024;

export function createPipe(onClosed: () => void): Pipe {
	const ends: Partial<Record<ChannelSide, ChannelEnd>> = {};
	const paused: Partial<Record<ChannelSide, boolean>> = {};
	let early: Message[] = [];
	let isOver = false;

	function pass(from: ChannelSide, message: Message): void {
		const to = ends[OTHER[from]];
		if (isOver) return;
		if (to) to.send(message);
		else early.push(message);
		const waiting = to ? to.unsent() : early.reduce((sum, { data }) => sum + data.length, 0);
		if (!to && waiting > MOST_UNSENT) close({ how: 'lost', reason: 'sent too much too early' });
		else if (!to || waiting > MOST_UNSENT) pause(from);
	}

	function pause(side: ChannelSide): void {
		if (!paused[side]) ends[side]?.pause();
		paused[side] = true;
	}

	function resume(side: ChannelSide): void {
		if (isOver || !paused[side]) return;
		paused[side] = false;
		ends[side]?.resume();
	}

	function close(end: ChannelClose, by?: ChannelSide): void {
		if (isOver) return;
		isOver = true;
		early = [];
		if (by !== 'face') ends.face?.close(end);
		if (by !== 'runner') ends.runner?.close(end);
		onClosed();
	}

	return {
		attach(side, open) {
			const other = OTHER[side];
			ends[side] = open({
				message: (message) => pass(side, message),
				drained: () => (ends[side]?.unsent() ?? 0) <= LOW && resume(other),
				closed: (end) => close(end, side),
			});
			if (isOver) ends[side]?.close({ how: 'lost', reason: '' });
			const kept = early;
			if (!ends[other]) return;
			early = [];
			for (const message of kept) pass(other, message);
			if ((ends[side]?.unsent() ?? 0) <= LOW) resume(other);
		},
		close,
	};
}

const OTHER = { face: 'runner', runner: 'face' } as const;
