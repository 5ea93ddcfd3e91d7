// When to draw: at once after a while of quiet, and at most thirty times a second in a flood.

export type Frames = Disposable & {
	/** Something changed. */
	request(): void;
};

const FRAME_MS = 1_000 / 30;

export function createFrames(draw: () => void, clock: { now(): number; after(ms: number, run: () => void): () => void }): Frames {
	let last = Number.NEGATIVE_INFINITY;
	let cancel: (() => void) | undefined;

	function run(): void {
		cancel = undefined;
		last = clock.now();
		draw();
	}

	return {
		request() {
			if (cancel) return;
			cancel = clock.after(Math.max(0, last + FRAME_MS - clock.now()), run);
		},
		[Symbol.dispose]() {
			cancel?.();
		},
	};
}
