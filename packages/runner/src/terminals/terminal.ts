// One terminal: what its program writes goes to its screen and to everybody who watches, and one of them types.
import type { TerminalSink, TerminalViewer } from '@roost/gateway/operations/backend';
import type { TerminalEnd, TerminalProcess, TerminalSize } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import type { AttachTerminal, TerminalControl, TerminalServerFrame } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { createFlow } from './flow.ts';
import { createGather } from './gather.ts';
import { createLease, LEASE_MS } from './lease.ts';
import type { Recording } from './recording.ts';
import { createScreen } from './screen.ts';
import { createSequenceGate } from './sequence-gate.ts';
import { createViewer, type Viewer } from './viewer.ts';

export type Terminal = Disposable & {
	attach(request: AttachTerminal, sink: TerminalSink, greet: (control: TerminalControl) => TerminalServerFrame): TerminalViewer;
	size(): TerminalSize;
	viewers(): number;
	/** What stands on its screen right now, as text. */
	lines(): string[];
	/** The same, once all that was written is read. */
	readLines(): Promise<string[]>;
	/** Everything it wrote was shown to whoever keeps up. */
	readonly ended: Promise<TerminalEnd>;
};

export type TerminalDeps = {
	process: TerminalProcess;
	size: TerminalSize;
	scrollbackLines: number;
	timers: Timers;
	newLease: () => string;
	recording?: Recording | undefined;
};

/** What a snapshot brings along where nobody says how much. */
const USUAL_SCROLLBACK = 1_000;
/** How long a sequence that is under way may keep a snapshot waiting. */
const UNCLEAN_MS = 500;
/** One who may not type is told so, and not for every key. */
const REFUSAL_MS = 1_000;

export function createTerminal(deps: TerminalDeps): Terminal {
	const { process, timers, recording } = deps;
	const ended = Promise.withResolvers<TerminalEnd>();
	const viewers = new Set<Viewer>();
	const gate = createSequenceGate();
	let size = deps.size;
	let end: TerminalEnd | undefined;
	let clean = true;
	/** Who waits for a place where a snapshot can be taken. */
	const whenClean: (() => void)[] = [];
	const screen = createScreen({ size, scrollbackLines: deps.scrollbackLines, onReply: reply, onRead: () => flow.check() });
	const followers = () => [...viewers].filter((viewer) => viewer.isFollowing());
	const flow = createFlow({ process, timers, followers, backlog: screen.backlog });
	const lease = createLease<Viewer>({ newId: deps.newLease, timers, graceMs: LEASE_MS, onFree: tellControl });
	const gather = createGather((bytes) => {
		const gated = gate.push(bytes);
		emit(gated.bytes, gated.clean);
	});
	process.onBytes(gather.add);
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

	/** Exactly one answers: the terminal of whoever controls, where it gets the question; else this one. */
	function reply(text: string, since: number): void {
		if (!lease.holder()?.follows(since)) process.write(Buffer.from(text));
	}

	async function show(viewer: Viewer): Promise<void> {
		// A program that has to wait would never come to the end of its sequence.
		await untilClean();
		const release = flow.hold();
		viewer.keep();
		viewer.show(await screen.snapshot({ scrollback: viewer.scrollback }));
		release();
		if (end) sayGoodbye(viewer, end);
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
		gather.flush();
		emit(gate.flush(), true);
		recording?.[Symbol.dispose]();
		end = how;
		for (const viewer of followers()) sayGoodbye(viewer, how);
		ended.resolve(how);
	}

	/** Who is behind hears it after its next snapshot. */
	function sayGoodbye(viewer: Viewer, { exitCode, signal, isLost }: TerminalEnd): void {
		if (!viewers.delete(viewer)) return;
		if (isLost) viewer.sink.frame({ type: 'refused', what: 'attach', error: unreachable().toJSON(), final: true });
		else viewer.sink.frame({ type: 'closed', exitCode: exitCode ?? null, signal: signal ?? null });
		viewer.sink.end();
	}

	function tellControl(): void {
		for (const viewer of viewers) viewer.sink.frame({ type: 'control', control: controlFor(viewer) });
	}

	function controlFor(viewer: Viewer): TerminalControl {
		if (lease.holder() === viewer) return { holder: 'you', lease: lease.take(viewer) };
		return { holder: lease.isHeld() ? 'other' : 'nobody' };
	}

	function setSize(next: TerminalSize): void {
		if (next.cols === size.cols && next.rows === size.rows) return;
		size = { cols: next.cols, rows: next.rows };
		gather.flush();
		process.resize(size);
		screen.resize(size);
		recording?.resize(size);
		for (const viewer of viewers) viewer.sink.frame({ type: 'resized', ...size });
	}

	return {
		attach(request, sink, greet) {
			const viewer = createViewer(sink, request.scrollback ?? USUAL_SCROLLBACK);
			const hadControl = request.want === 'control' && !end && lease.claim(viewer, request.lease) !== undefined;
			if (hadControl) setSize(request);
			viewers.add(viewer);
			sink.frame(greet(controlFor(viewer)));
			if (hadControl) for (const other of viewers) if (other !== viewer) tell(other);
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
			gather[Symbol.dispose]();
			flow[Symbol.dispose]();
			recording?.[Symbol.dispose]();
			screen[Symbol.dispose]();
		},
	};

	function tell(viewer: Viewer): void {
		viewer.sink.frame({ type: 'control', control: controlFor(viewer) });
	}

	function toTerminalViewer(viewer: Viewer): TerminalViewer {
		let refusedAt = Number.NEGATIVE_INFINITY;
		function refuse(what: 'input' | 'resize'): void {
			if (performance.now() - refusedAt < REFUSAL_MS) return;
			refusedAt = performance.now();
			viewer.sink.frame({ type: 'refused', what, error: notYours().toJSON(), final: false });
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
				tellControl();
			},
			leave(how) {
				viewers.delete(viewer);
				lease.leave(viewer, how);
				flow.check();
			},
		};
	}
}

function notYours(): AppError {
	return new AppError('conflict', 'Another viewer controls this terminal. Take control to type.');
}

function unreachable(): AppError {
	return new AppError(
		'not_found',
		'This terminal cannot be reached any more, but its program may go on: restart the runner to look again.',
	);
}
