// The terminal UI: Ink hosts it (keys, pasting, size, the alternate screen); the painter draws it, because it draws less.
import { render, useInput, usePaste, useWindowSize } from 'ink';
import { createElement, useLayoutEffect, useSyncExternalStore } from 'react';
import type { Source } from './data/source.ts';
import { bodyRoom, drawFrame } from './frame.ts';
import { toKeyPress } from './keys/key.ts';
import type { ThemeName } from './screen/look.ts';
import { createPainter, type Painter } from './screen/painter.ts';
import { createFrames } from './shell/frames.ts';
import { createModel, type Model } from './shell/model.ts';

export type TuiOptions = {
	source: Source;
	theme: { theme: ThemeName; colour: boolean; ascii: boolean };
	stdout: NodeJS.WriteStream;
	stdin: NodeJS.ReadStream;
	copy: (text: string) => void;
};

const TICK_MS = 1_000;

/** Resolves when the user has left. */
export async function runTui({ source, theme, stdout, stdin, copy }: TuiOptions): Promise<void> {
	const left = Promise.withResolvers<void>();
	const changes = createChanges();
	using frames = createFrames(changes.tell, realClock);
	const model = createModel({ source, theme, copy, onChange: frames.request, quit: left.resolve });
	source.onChange(frames.request);
	const painter = createPainter((bytes) => stdout.write(bytes));
	const ticking = setInterval(source.tick, TICK_MS);
	const app = render(createElement(App, { model, source, painter, changes }), {
		stdout,
		stdin,
		alternateScreen: true,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});
	await Promise.race([left.promise, app.waitUntilExit()]);
	clearInterval(ticking);
	app.unmount();
	await app.waitUntilExit();
}

type AppProps = { model: Model; source: Source; painter: Painter; changes: Changes };

function App({ model, source, painter, changes }: AppProps): null {
	useSyncExternalStore(changes.subscribe, changes.count);
	const window = useWindowSize();
	const { shell, look, notice } = model.snapshot();
	const room = bodyRoom(window, look);
	useInput((input, key) => model.press(toKeyPress(input, key), room));
	usePaste((text) => model.press({ name: 'paste', text }, room));
	useLayoutEffect(() => {
		painter.resize(window);
		const { lines, cursor } = drawFrame({ shell, world: source.world(), notice }, window, look);
		painter.paint(lines, cursor);
	});
	return null;
}

type Changes = { tell(): void; subscribe(handler: () => void): () => void; count(): number };

function createChanges(): Changes {
	const handlers = new Set<() => void>();
	let count = 0;
	return {
		tell() {
			count += 1;
			for (const handler of handlers) handler();
		},
		subscribe(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
		count: () => count,
	};
}

const realClock = {
	now: () => performance.now(),
	after(ms: number, run: () => void) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
};
