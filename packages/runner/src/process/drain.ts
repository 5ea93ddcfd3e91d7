// How a runner ends: its steps in order, once, within a deadline; whoever cannot wait signals a second time.
import { toSentence } from '@roost/core/display/sentence';
import type { Timers } from '@roost/machine/timers';

export type DrainStep = { name: string; run: () => PromiseLike<void> | void };

export type DrainOptions = {
	timers: Timers;
	/** One sentence for the log: a step that failed, or the one that took too long. */
	onProblem: (message: string) => void;
	/** Ends the process at once; called on the second signal. */
	exit: (code: number) => void;
	deadlineMs?: number;
	/** The process itself unless a test plays it. */
	signals?: SignalSource;
};

type SignalSource = {
	on(name: DrainSignal, run: (name: DrainSignal) => void): unknown;
	off(name: DrainSignal, run: (name: DrainSignal) => void): unknown;
};

export type Drain = Disposable & {
	/** Starts it without a signal, as when the runner was idle; starting again changes nothing. */
	start(): void;
	/** The exit code, when all steps are done or the time is up; what is still running then is not waited for. */
	ended: Promise<number>;
};

const DEADLINE_MS = 5_000;
/** SIGHUP: the terminal it ran in was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type DrainSignal = (typeof SIGNALS)[number];
/** Being asked to end is a good end; Ctrl-C is told apart, so that a script stops too. */
const AFTER_DRAIN = { SIGTERM: 0, SIGINT: 130, SIGHUP: 0 } as const;
const AT_ONCE = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;
const FAILED = 1;

export function createDrain(steps: readonly DrainStep[], options: DrainOptions): Drain {
	const { timers, onProblem, exit, deadlineMs = DEADLINE_MS, signals = process } = options;
	const ended = Promise.withResolvers<number>();
	let started = false;

	function start(code: number): void {
		started = true;
		ended.resolve(runWithin(code));
	}
	async function runWithin(code: number): Promise<number> {
		const late = Promise.withResolvers<number>();
		let current = '';
		const cancel = timers.after(deadlineMs, () => {
			onProblem(`The runner ends after ${deadlineMs} ms although this was not done: ${current}.`);
			late.resolve(FAILED);
		});
		const all = runSteps(steps, (name) => (current = name), onProblem);
		try {
			return await Promise.race([all.then((clean) => (clean ? code : FAILED)), late.promise]);
		} finally {
			cancel();
		}
	}
	const onSignal = (name: DrainSignal) => {
		if (started) exit(AT_ONCE[name]);
		else start(AFTER_DRAIN[name]);
	};
	for (const name of SIGNALS) signals.on(name, onSignal);
	return {
		ended: ended.promise,
		start: () => {
			if (!started) start(0);
		},
		[Symbol.dispose]() {
			for (const name of SIGNALS) signals.off(name, onSignal);
		},
	};
}

/** A step that fails does not keep the next one from its turn: the log is flushed whatever the sockets do. */
async function runSteps(
	steps: readonly DrainStep[],
	onStep: (name: string) => void,
	onProblem: (message: string) => void,
): Promise<boolean> {
	let clean = true;
	for (const { name, run } of steps) {
		onStep(name);
		try {
			await run();
		} catch (cause) {
			clean = false;
			for (const each of causesOf(cause)) onProblem(toSentence(`While ending, this failed: ${name}: ${each}`));
		}
	}
	return clean;
}

/** Of several things that could not be closed, what each of them said, the first one first. */
function causesOf(cause: unknown): string[] {
	if (cause instanceof SuppressedError) return [...causesOf(cause.suppressed), ...causesOf(cause.error)];
	return [cause instanceof Error ? cause.message : String(cause)];
}
