// Shows the output of a terminal in order and confirms what was shown, so that a slow window never gets too much.
import type { Timers } from './attempt.ts';
import type { TerminalWindow, WindowSize } from './terminal-client.ts';

export type Showing = {
	/** The next bytes draw the screen as of this position. */
	snapshot(head: WindowSize & { position: number; bytes: number }): void;
	bytes(bytes: Uint8Array): void;
	/** After everything that came before. */
	afterwards(action: () => void): void;
};

type Drawing = WindowSize & { position: number; parts: Uint8Array[]; missing: number };

/** Fewer confirmations than one frame for every key. */
const ACK_AFTER_MS = 50;

export function createShowing(deps: {
	window: Pick<TerminalWindow, 'snapshot' | 'bytes'>;
	timers: Timers;
	ackEvery: number;
	ack: (position: number) => void;
	/** Called with the error of the window. */
	failed: (cause: unknown) => void;
}): Showing {
	const { window } = deps;
	let position = 0;
	let acked = 0;
	let drawing: Drawing | undefined;
	let last: Promise<void> | undefined;
	let cancelAck: (() => void) | undefined;

	/** At once where nothing is queued, so that the echo of a key is not delayed. */
	function inOrder(action: () => void | Promise<void>): void {
		if (last === undefined) {
			const running = action();
			if (running) follow(running);
			return;
		}
		follow(last.then(action));
	}

	function follow(next: Promise<void>): void {
		const own = next.catch(deps.failed).finally(() => {
			if (last === own) last = undefined;
		});
		last = own;
	}

	function show(bytes: Uint8Array): void {
		inOrder(() => {
			const done = () => confirm(position + bytes.length);
			const shown = window.bytes(bytes);
			return shown ? shown.then(done) : done();
		});
	}

	function draw({ parts, position: at, cols, rows }: Drawing): void {
		inOrder(() => {
			const done = () => confirm(at, true);
			const shown = window.snapshot(joined(parts), { cols, rows });
			return shown ? shown.then(done) : done();
		});
	}

	function confirm(to: number, now = false): void {
		position = to;
		if (now || position - acked >= deps.ackEvery) ackNow();
		else cancelAck ??= deps.timers.after(ACK_AFTER_MS, ackNow);
	}

	function ackNow(): void {
		cancelAck?.();
		cancelAck = undefined;
		acked = position;
		deps.ack(position);
	}

	return {
		snapshot({ bytes, ...place }) {
			drawing = { ...place, parts: [], missing: bytes };
			if (bytes === 0) finishDrawing();
		},
		bytes(bytes) {
			if (!drawing) {
				show(bytes);
				return;
			}
			drawing.parts.push(bytes);
			drawing.missing -= bytes.length;
			if (drawing.missing <= 0) finishDrawing();
		},
		afterwards: inOrder,
	};

	function finishDrawing(): void {
		const whole = drawing;
		drawing = undefined;
		if (whole) draw(whole);
	}
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
