// The shutdown of a process: on a signal or on request; steps in order, within a deadline. A second signal exits at once.
import { toSentence } from '@roost/core/display/sentence';
import type { Timers } from './timers.ts';

export type DrainStep = { name: string; run: () => PromiseLike<void> | void };

type OnSignal = (name: DrainSignal, run: (name: DrainSignal) => void) => unknown;

const DEADLINE_MS = 5_000;
/** SIGHUP: the terminal it ran in was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type DrainSignal = (typeof SIGNALS)[number];
/** Ctrl-C has its own exit code, so that a script stops too. */
const AFTER_DRAIN = { SIGTERM: 0, SIGINT: 130, SIGHUP: 0 } as const;
const AT_ONCE = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;
const FAILED = 1;

export function createDrain(
	steps: readonly DrainStep[],
	options: {
		timers: Timers;
		/** For the log: a step that failed or took too long. */
		onProblem: (message: string) => void;
		exit: (code: number) => void;
		deadlineMs?: number;
		signals?: { on: OnSignal; off: OnSignal };
	},
) {
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
			onProblem(`Shutdown timed out after ${deadlineMs} ms while ${current}.`);
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
		/** The exit code, when all steps are done or the deadline has passed. */
		ended: ended.promise,
		/** Without a signal. */
		start: () => {
			if (!started) start(0);
		},
		[Symbol.dispose]() {
			for (const name of SIGNALS) signals.off(name, onSignal);
		},
	};
}

/** A failed step does not stop the next one. */
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
			for (const each of causesOf(cause)) onProblem(toSentence(`Shutdown failed while ${name}: ${each}`));
		}
	}
	return clean;
}

/** The messages of all failed disposals, in order. */
function causesOf(cause: unknown): string[] {
	if (cause instanceof SuppressedError) return [...causesOf(cause.suppressed), ...causesOf(cause.error)];
	return [cause instanceof Error ? cause.message : String(cause)];
}
