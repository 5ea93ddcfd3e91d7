// The terminal UI: facts and keys change the model, the frame is drawn from the model, the painter puts it on the terminal.
import type { Source } from '@roost/client/world/source';
import { realTimers } from '@roost/machine/timers';
import type { AskId } from '@roost/protocol/ids';
import { drawFrame, focusRoom } from './frame.ts';
import type { KeyPress } from './keys/key.ts';
import type { Leaving } from './pane.ts';
import type { Copy } from './screen/clipboard.ts';
import { createPainter } from './screen/painter.ts';
import type { StyleOptions } from './screen/styles.ts';
import { takeTerminal } from './screen/terminal.ts';
import type { WindowSize } from './shell/host.ts';
import { createModel } from './shell/model.ts';

type TuiOptions = {
	source: Source;
	styles: StyleOptions;
	stdout: NodeJS.WriteStream & { fd: number };
	stdin: NodeJS.ReadStream;
	copy: Copy;
	onSentence: (handler: (sentence: string) => void) => void;
	/** The request to decide first. */
	ask?: AskId | undefined;
};

const TICK_MS = 1_000;

/** Resolves when the user quits, or goes to a terminal or another runner. */
export async function runTui(options: TuiOptions): Promise<Leaving | undefined> {
	const { source, styles, stdout, stdin, copy, onSentence, ask } = options;
	const left = Promise.withResolvers<Leaving | undefined>();
	const painter = createPainter((bytes) => stdout.write(bytes));
	let window: WindowSize = { columns: stdout.columns, rows: stdout.rows };

	function draw(): void {
		if (!terminal.isOurs()) return;
		const { shell, styles: shown, notice } = model.snapshot();
		const { lines, cursor } = drawFrame({ shell, world: source.world(), notice }, window, shown);
		painter.paint(lines, cursor);
	}

	using frames = createFrames(draw, realClock);
	const model = createModel({ source, styles, copy, onChange: frames.request, quit: left.resolve, ask });
	using terminal = takeTerminal({
		stdin,
		stdout,
		onBack() {
			painter.forget();
			frames.request();
		},
	});

	function onKey(key: KeyPress): void {
		const { shell, styles: shown } = model.snapshot();
		if (key.name === 'ctrl+z') terminal.suspend();
		else model.press(key, focusRoom(shell, window, shown));
	}

	function onSize(size: WindowSize): void {
		window = size;
		painter.resize(size);
		frames.request();
	}

	source.onChange(model.observe);
	onSentence(model.say);
	draw();
	// Ink loads slowly: the first frame does not wait for it.
	const { openHost } = await import('./shell/host.ts');
	await using _host = openHost({ stdin, stdout, onKey, onSize });
	const ticking = setInterval(source.tick, TICK_MS);
	const wanted = await left.promise;
	clearInterval(ticking);
	return wanted;
}

const realClock = { now: () => performance.now(), after: realTimers.after };

const FRAME_MS = 1_000 / 30;

export function createFrames(draw: () => void, clock: { now(): number; after(ms: number, run: () => void): () => void }) {
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
