// One terminal: program output goes to its screen and all viewers; input comes from the one in control.
import type { TerminalSink, TerminalViewer } from '@roost/gateway/operations/backend';
import type { TerminalEnd, TerminalProcess, TerminalSize } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import type { AttachTerminal, TerminalControl, TerminalServerFrame } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { createLease, LEASE_MS } from './lease.ts';
import type { Recording } from './recording.ts';
import { createScreen } from './screen.ts';
import { createSequenceGate } from './sequence-gate.ts';
import { createFlow, createViewer, type Viewer } from './viewer.ts';

export type Terminal = Disposable & {
	attach(request: AttachTerminal, sink: TerminalSink, greet: (control: TerminalControl) => TerminalServerFrame): TerminalViewer;
	size(): TerminalSize;
	viewers(): number;
	lines(): string[];
	readLines(): Promise<string[]>;
	/** Resolves after all output is sent to viewers that keep up. */
	readonly ended: Promise<TerminalEnd>;
};

const USUAL_SCROLLBACK = 1_000;
/** How long an unfinished sequence may delay a snapshot. */
const UNCLEAN_MS = 500;
/** The interval of "refused" frames, which are not sent for every key. */
const REFUSAL_MS = 1_000;

export function createTerminal(deps: {
	process: TerminalProcess;
	size: TerminalSize;
	scrollbackLines: number;
	timers: Timers;
	newLease: () => string;
	recording?: Recording | undefined;
}): Terminal {
	const { process, timers, recording } = deps;
	const ended = Promise.withResolvers<TerminalEnd>();
	const viewers = new Set<Viewer>();
	const gate = createSequenceGate();
	let size = deps.size;
	let end: TerminalEnd | undefined;
	let clean = true;
	/** Called when the output is outside of a sequence, where a snapshot can be taken. */
	const whenClean: (() => void)[] = [];
	const screen = createScreen({ size, scrollbackLines: deps.scrollbackLines, onReply: reply, onRead: () => flow.check() });
	const followers = () => [...viewers].filter((viewer) => viewer.isFollowing());
	const flow = createFlow({ process, timers, followers, backlog: screen.backlog });
	const lease = createLease<Viewer>({ newId: deps.newLease, timers, graceMs: LEASE_MS, onFree: () => sendControl() });
	process.onBytes((bytes) => {
		const gated = gate.push(bytes);
		emit(gated.bytes, gated.clean);
	});
	process.onExit(finish);

	function emit(bytes: Buffer, isClean: boolean): void {
		clean = isClean;
		if (bytes.length > 0) {
			screen.write(bytes);
			recording?.output(bytes);
			for (const viewer of viewers) viewer.give(bytes);
		}
		if (clean) for (const go of whenClean.splice(0)) go();
		flow.check();
	}

	/** Exactly one terminal replies: that of the viewer in control if it gets the query, otherwise this one. */
	function reply(text: string, since: number): void {
		if (!lease.holder()?.follows(since)) process.write(Buffer.from(text));
	}

	async function show(viewer: Viewer): Promise<void> {
		// Before the program is paused, or it could not finish its sequence.
		await untilClean();
		const release = flow.hold();
		viewer.keep();
		viewer.show(await screen.snapshot({ scrollback: viewer.scrollback }));
		release();
		if (end) disconnect(viewer, end);
	}

	async function untilClean(): Promise<void> {
		if (clean) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		whenClean.push(resolve);
		const cancel = timers.after(UNCLEAN_MS, () => emit(gate.cancel(), true));
		await promise;
		cancel();
	}

	function finish(how: TerminalEnd): void {
		emit(gate.flush(), true);
		recording?.[Symbol.dispose]();
		end = how;
		for (const viewer of followers()) disconnect(viewer, how);
		ended.resolve(how);
	}

	/** A viewer that is behind gets its next snapshot first. */
	function disconnect(viewer: Viewer, { exitCode, signal, isLost }: TerminalEnd): void {
		if (!viewers.delete(viewer)) return;
		if (isLost) viewer.sink.frame({ type: 'refused', what: 'attach', error: UNREACHABLE.toJSON(), final: true });
		else viewer.sink.frame({ type: 'closed', exitCode: exitCode ?? null, signal: signal ?? null });
		viewer.sink.end();
	}

	function sendControl(except?: Viewer): void {
		for (const viewer of viewers) if (viewer !== except) viewer.sink.frame({ type: 'control', control: controlFor(viewer) });
	}

	function controlFor(viewer: Viewer): TerminalControl {
		if (lease.holder() === viewer) return { holder: 'you', lease: lease.take(viewer) };
		return { holder: lease.isHeld() ? 'other' : 'nobody' };
	}

	function setSize(next: TerminalSize): void {
		if (next.cols === size.cols && next.rows === size.rows) return;
		size = { cols: next.cols, rows: next.rows };
		process.resize(size);
		screen.resize(size);
		recording?.resize(size);
		for (const viewer of viewers) viewer.resize(size);
	}

	return {
		attach(request, sink, greet) {
			const viewer = createViewer(sink, request.scrollback ?? USUAL_SCROLLBACK);
			const hasControl = request.want === 'control' && !end && lease.claim(viewer, request.lease) !== undefined;
			if (hasControl) setSize(request);
			viewers.add(viewer);
			sink.frame(greet(controlFor(viewer)));
			if (hasControl) sendControl(viewer);
			void show(viewer);
			return toTerminalViewer(viewer);
		},
		size: () => size,
		viewers: () => viewers.size,
		lines: screen.lines,
		async readLines() {
			await screen.snapshot({ scrollback: 0 });
			return screen.lines();
		},
		ended: ended.promise,
		[Symbol.dispose]() {
			for (const viewer of viewers) viewer.sink.end();
			viewers.clear();
			flow[Symbol.dispose]();
			recording?.[Symbol.dispose]();
			screen[Symbol.dispose]();
		},
	};

	function toTerminalViewer(viewer: Viewer): TerminalViewer {
		let refusedAt = Number.NEGATIVE_INFINITY;
		function refuse(what: 'input' | 'resize'): void {
			if (performance.now() - refusedAt < REFUSAL_MS) return;
			refusedAt = performance.now();
			viewer.sink.frame({ type: 'refused', what, error: NOT_IN_CONTROL.toJSON(), final: false });
		}
		return {
			ack(position) {
				const isBack = viewer.ack(position);
				flow.check();
				if (isBack) void show(viewer);
			},
			input(bytes) {
				if (lease.holder() === viewer) process.write(bytes);
				else refuse('input');
			},
			resize(next) {
				if (lease.holder() === viewer) setSize(next);
				else refuse('resize');
			},
			take() {
				if (end || !viewers.has(viewer)) return;
				lease.take(viewer);
				sendControl();
			},
			leave(how) {
				viewers.delete(viewer);
				lease.leave(viewer, how);
				flow.check();
			},
		};
	}
}

const NOT_IN_CONTROL = new AppError('conflict', 'Another viewer controls this terminal. Take control to type.');
const UNREACHABLE = new AppError(
	'not_found',
	'This terminal is unreachable, but its program may still run. Restart the runner to try again.',
);
