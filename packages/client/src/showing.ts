// Hands the output of a terminal to its window at once, and confirms in order what was shown, so that a slow window never gets too much.
import type { Timers } from './attempt.ts';
import type { TerminalWindow, WindowSize } from './terminal-client.ts';

export type Showing = {
	/** The next bytes draw the screen as of this position. */
	snapshot(head: WindowSize & { position: number; bytes: number }): void;
	bytes(bytes: Uint8Array): void;
	/** After everything that came before was shown; what comes next waits for it. */
	afterwards(action: () => void): void;
	/** The connection was lost: drops what was not handed on, and confirms nothing of it any more. */
	restart(): void;
};

type Drawing = WindowSize & { position: number; parts: Uint8Array[]; missing: number };

type Step = {
	run: () => void | Promise<void>;
	/** Starts only when everything before it was shown. */
	waits: boolean;
	/** The position that this step confirms, if any. */
	position?: number | undefined;
	isSnapshot?: boolean;
	isDone?: boolean;
};

/** Fewer confirmations than one frame for every key. */
const ACK_AFTER_MS = 50;

export function createShowing(deps: {
	window: Pick<TerminalWindow, 'snapshot' | 'bytes'>;
	timers: Timers;
	ackEvery: number;
	ack: (position: number) => void;
	/** Called with the error of the window; nothing is confirmed after it. */
	failed: (cause: unknown) => void;
}): Showing {
	const { window } = deps;
	/** Both are bounded by the server, which pauses at a number of unconfirmed bytes. */
	const queued: Step[] = [];
	const handedOn: Step[] = [];
	let received = 0;
	let shown = 0;
	let acked = 0;
	let drawing: Drawing | undefined;
	let hasFailed = false;
	let cancelAck: (() => void) | undefined;

	function add(step: Step): void {
		queued.push(step);
		handOn();
	}

	function handOn(): void {
		for (let next = queued[0]; next && !(next.waits && handedOn.length > 0); next = queued[0]) {
			queued.shift();
			handedOn.push(next);
			start(next);
		}
	}

	function start(step: Step): void {
		try {
			const running = step.run();
			if (!running) settle(step);
			else
				void running
					.then(() => settle(step))
					.catch((cause) => fail(step, cause))
					.finally(handOn);
		} catch (cause) {
			fail(step, cause);
		}
	}

	function fail(step: Step, cause: unknown): void {
		hasFailed = true;
		settle(step);
		deps.failed(cause);
	}

	function settle(step: Step): void {
		step.isDone = true;
		let isSnapshot = false;
		for (let first = handedOn[0]; first?.isDone; first = handedOn[0]) {
			handedOn.shift();
			shown = first.position ?? shown;
			isSnapshot ||= first.isSnapshot === true;
		}
		if (!hasFailed) confirm(isSnapshot);
	}

	function confirm(now: boolean): void {
		if (now || shown - acked >= deps.ackEvery) ackNow();
		else if (shown > acked) cancelAck ??= deps.timers.after(ACK_AFTER_MS, ackNow);
	}

	function ackNow(): void {
		stopAck();
		acked = shown;
		deps.ack(shown);
	}

	function stopAck(): void {
		cancelAck?.();
		cancelAck = undefined;
	}

	/** A window clears its screen at once, so earlier bytes must not be on their way. */
	function finishDrawing({ parts, position, cols, rows }: Drawing): void {
		drawing = undefined;
		received = position;
		add({ run: () => window.snapshot(joined(parts), { cols, rows }), waits: true, position, isSnapshot: true });
	}

	return {
		snapshot({ bytes, ...place }) {
			drawing = { ...place, parts: [], missing: bytes };
			if (bytes === 0) finishDrawing(drawing);
		},
		bytes(bytes) {
			if (!drawing) {
				received += bytes.length;
				add({ run: () => window.bytes(bytes), waits: false, position: received });
				return;
			}
			drawing.parts.push(bytes);
			drawing.missing -= bytes.length;
			if (drawing.missing <= 0) finishDrawing(drawing);
		},
		afterwards: (action) => add({ run: () => void action(), waits: true }),
		restart() {
			stopAck();
			drawing = undefined;
			queued.length = 0;
			for (const step of handedOn) Object.assign(step, { position: undefined, isSnapshot: false });
			received = shown = acked = 0;
		},
	};
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const [only] = parts;
	if (only && parts.length === 1) return only;
	const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}
