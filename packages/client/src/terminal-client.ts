// A terminal of the runner, shown in another window: reconnects with its lease, and confirms bytes when they are shown.
import { parseJson } from '@roost/core/display/parse-json';
import { type Backoff, DEFAULT_BACKOFF, toDelay } from '@roost/core/process/backoff';
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
import { createProbe } from './probe.ts';
import { createShowing } from './showing.ts';
import type { TerminalSocket } from './terminal-socket.ts';

export type TerminalClient = Disposable & {
	/** Keys; dropped while there is no connection, because the user does not see the current screen. */
	type(bytes: Uint8Array): void;
	resize(size: WindowSize): void;
	/** Takes control from its current holder. */
	take(): void;
	/** To be called after sleep or a change of network: reconnects at once unless the runner answers within 3 seconds. */
	wake(): void;
};

export type WindowSize = { cols: number; rows: number };

/**
 * Bytes are confirmed when the returned promise resolves, so that a slow window gets no more than it can show.
 * The next bytes come before that: a window shows them in the order of the calls.
 */
export type TerminalWindow = {
	/** Redraws everything on an empty screen of this size. Called when all earlier bytes are shown. */
	snapshot(bytes: Uint8Array, size: WindowSize): void | Promise<void>;
	bytes(bytes: Uint8Array): void | Promise<void>;
	attached(terminal: TerminalRow): void;
	control(control: TerminalControl): void;
	resized(size: WindowSize): void;
	/** A request was refused; the terminal stays open. */
	refused(reason: string): void;
	/** The connection was lost; the client reconnects. */
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
	/** Lines above the screen that the snapshots of the first connection include. */
	scrollback?: number;
	/** The same for later connections; by default none, for windows that keep the lines. */
	laterScrollback?: number;
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
	let received = true;
	let isOpen = false;
	const probe = createProbe({ timers, onSilence: () => retryLater(SILENT) });
	const showing = createShowing({
		window,
		timers,
		ackEvery: LOW_WATERMARK / 2,
		ack: (position) => over || send({ type: 'ack', position }),
		failed: (cause) => finish({ type: 'failed', error: cannotShow(cause) }),
	});

	function connect(): void {
		const opened = deps.openSocket();
		const isCurrent = () => socket === opened && !over;
		socket = opened;
		opened.onOpen(() => isCurrent() && greet());
		opened.onBytes((bytes) => isCurrent() && receive() && showing.bytes(bytes));
		opened.onText((text) => isCurrent() && receive() && take(terminalServerFrame.safeParse(parseJson(text)).data));
		opened.onClose((reason) => isCurrent() && retryLater(reason || 'The connection to the runner was lost.'));
	}

	function greet(): void {
		isOpen = true;
		probe.stop();
		send({ type: 'attach', ...size, want: deps.want, lease, scrollback });
		scrollback = deps.laterScrollback ?? 0;
		watch();
	}

	function receive(): true {
		received = true;
		probe.stop();
		return true;
	}

	/** A connection without an answer to a ping is lost. */
	function watch(): void {
		cancelTimer = timers.after(PING_MS, () => {
			if (!received) {
				retryLater(SILENT);
				return;
			}
			received = false;
			send({ type: 'ping' });
			watch();
		});
	}

	/** Unknown frames of a newer runner are ignored. */
	function take(frame: TerminalServerFrame | undefined): void {
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
			case 'bytes':
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
		isOpen = false;
		received = true;
		showing.restart();
		cancelTimer = timers.after(probe.isWaiting() ? 0 : toDelay(backoff, failures, deps.random()), connect);
		probe.stop();
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
		probe.stop();
		socket?.close();
	}

	function send(frame: TerminalClientFrame): void {
		socket?.sendText(JSON.stringify(frame));
	}

	connect();
	return {
		type(bytes) {
			if (!over && lease !== undefined) socket?.sendBytes(bytes);
		},
		resize(next) {
			size = next;
			if (!over && lease !== undefined) send({ type: 'resize', ...next });
		},
		take: () => (over ? undefined : send({ type: 'take' })),
		wake() {
			if (over) return;
			if (socket) return probe.start(() => isOpen && send({ type: 'ping' }));
			cancelTimer();
			connect();
		},
		[Symbol.dispose]: stop,
	};
}

const SILENT = 'The runner has gone silent.';

function cannotShow(cause: unknown): AppError {
	return new AppError('internal', `This window cannot show the terminal: ${String(cause)}`, { cause });
}

function versionsDiffer(): AppError {
	return new AppError('cannot_start', 'The runner shows terminals differently: use the same version of Roost on both sides.');
}
