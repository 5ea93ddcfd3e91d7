// A terminal of the runner, shown somewhere else: comes back by itself with its lease, and confirms what was shown as it is shown.
import {
	LOW_WATERMARK,
	TERMINAL_PROTOCOL,
	type TerminalClientFrame,
	type TerminalControl,
	type TerminalRow,
	type TerminalServerFrame,
	terminalServerFrame,
} from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { Timers } from './attempt.ts';
import { type Backoff, DEFAULT_BACKOFF, toDelay } from './backoff.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { createShowing, type Showing } from './showing.ts';
import type { TerminalSocket } from './terminal-socket.ts';

export type TerminalClient = Disposable & {
	/** Keys; dropped while there is no connection, because nobody saw what they would answer to. */
	type(bytes: Uint8Array): void;
	resize(size: WindowSize): void;
	/** Control, whoever has it. */
	take(): void;
};

export type WindowSize = { cols: number; rows: number };

/** What is shown is confirmed when the returned promise resolves: a slow window is waited for. */
export type TerminalWindow = {
	/** Draws everything anew on an empty screen of this size. */
	snapshot(bytes: Uint8Array, size: WindowSize): void | Promise<void>;
	bytes(bytes: Uint8Array): void | Promise<void>;
	attached(terminal: TerminalRow): void;
	control(control: TerminalControl): void;
	resized(size: WindowSize): void;
	/** Something was not done; the terminal goes on. */
	refused(reason: string): void;
	/** The connection is gone; it is tried again. */
	lost(reason: string): void;
	/** The last call: the program ended, or it cannot be shown. */
	ended(end: TerminalOver): void;
};

export type TerminalOver =
	| { type: 'closed'; exitCode: number | null; signal: number | null }
	| { type: 'failed'; error: AppError };

export type TerminalClientDeps = {
	openSocket: () => TerminalSocket;
	window: TerminalWindow;
	want: 'control' | 'view';
	size: WindowSize;
	/** Lines above the screen that the first snapshot brings along; later ones bring none. */
	scrollback?: number;
	encoding?: 'binary' | 'base64';
	timers: Timers;
	random: () => number;
	backoff?: Backoff;
};

const PING_MS = 15_000;

export function createTerminalClient(deps: TerminalClientDeps): TerminalClient {
	const { window, timers, backoff = DEFAULT_BACKOFF } = deps;
	let { size } = deps;
	let scrollback = deps.scrollback ?? 0;
	let lease: string | undefined;
	let socket: TerminalSocket | undefined;
	let failures = 0;
	let over = false;
	let cancelTimer = () => {};
	let heard = true;

	function connect(): void {
		const opened = deps.openSocket();
		const isCurrent = () => socket === opened && !over;
		const showing = createShowing({
			window,
			timers,
			ackEvery: LOW_WATERMARK / 2,
			ack: (position) => isCurrent() && send({ type: 'ack', position }),
			failed: (cause) => finish({ type: 'failed', error: cannotShow(cause) }),
		});
		socket = opened;
		opened.onOpen(() => isCurrent() && greet());
		opened.onBytes((bytes) => isCurrent() && hear() && showing.bytes(bytes));
		opened.onText((text) => isCurrent() && hear() && take(readFrame(text), showing));
		opened.onClose((reason) => isCurrent() && retryLater(reason || 'The connection to the runner was lost.'));
	}

	function greet(): void {
		const { want, encoding } = deps;
		send({ type: 'attach', ...size, want, lease, encoding, scrollback });
		scrollback = 0;
		watch();
	}

	function hear(): true {
		heard = true;
		return true;
	}

	/** A connection that says nothing although it was asked is gone. */
	function watch(): void {
		cancelTimer = timers.after(PING_MS, () => {
			if (!heard) {
				retryLater('The runner has gone silent.');
				return;
			}
			heard = false;
			send({ type: 'ping' });
			watch();
		});
	}

	function take(frame: TerminalServerFrame | undefined, showing: Showing): void {
		if (!frame) return;
		switch (frame.type) {
			case 'attached':
				failures = 0;
				if (frame.protocol !== TERMINAL_PROTOCOL) finish({ type: 'failed', error: versionsDiffer() });
				else showing.afterwards(() => window.attached(frame.terminal));
				setControl(frame.control);
				break;
			case 'snapshot':
				showing.snapshot(frame);
				break;
			case 'bytes':
				showing.bytes(fromBase64(frame.base64));
				break;
			case 'control':
				setControl(frame.control);
				break;
			case 'resized':
				showing.afterwards(() => window.resized({ cols: frame.cols, rows: frame.rows }));
				break;
			case 'refused':
				if (frame.final) finish({ type: 'failed', error: new AppError(frame.error.code, frame.error.message) });
				else window.refused(frame.error.message);
				break;
			case 'closed': {
				const { exitCode, signal } = frame;
				stop();
				showing.afterwards(() => window.ended({ type: 'closed', exitCode, signal }));
				break;
			}
			case 'pong':
				break;
			default:
				assertNever(frame);
		}
	}

	function setControl(control: TerminalControl): void {
		if (over) return;
		lease = control.holder === 'you' ? control.lease : undefined;
		window.control(control);
	}

	function retryLater(reason: string): void {
		cancelTimer();
		socket?.close();
		socket = undefined;
		heard = true;
		cancelTimer = timers.after(toDelay(backoff, failures, deps.random()), connect);
		failures += 1;
		window.lost(reason);
	}

	function finish(end: TerminalOver): void {
		if (over) return;
		stop();
		window.ended(end);
	}

	function stop(): void {
		over = true;
		cancelTimer();
		socket?.close();
	}

	function send(frame: TerminalClientFrame): void {
		socket?.sendText(JSON.stringify(frame));
	}

	connect();
	return {
		type(bytes) {
			if (over || lease === undefined) return;
			if (deps.encoding === 'base64') send({ type: 'input', base64: toBase64(bytes) });
			else socket?.sendBytes(bytes);
		},
		resize(next) {
			size = next;
			if (!over && lease !== undefined) send({ type: 'resize', ...next });
		},
		take: () => (over ? undefined : send({ type: 'take' })),
		[Symbol.dispose]: stop,
	};
}

/** Of a newer runner that says more than this side knows, what is known is enough. */
function readFrame(text: string): TerminalServerFrame | undefined {
	try {
		return terminalServerFrame.safeParse(JSON.parse(text)).data;
	} catch {
		// No frame of ours: the connection's own checks see to it when nothing else comes.
		return undefined;
	}
}

function cannotShow(cause: unknown): AppError {
	return new AppError('internal', `This window cannot show the terminal: ${String(cause)}`, { cause });
}

function versionsDiffer(): AppError {
	return new AppError('cannot_start', 'The runner shows terminals differently: use the same version of Roost on both sides.');
}
