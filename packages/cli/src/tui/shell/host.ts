// Ink reads keys, pasted text and the window size. Its own output is discarded.
import { render, useInput, usePaste, useWindowSize } from 'ink';
import { createElement, useLayoutEffect } from 'react';
import { createInputFilter } from '../keys/input-filter.ts';
import { type KeyPress, toKeyPresses } from '../keys/key.ts';

export type WindowSize = { readonly columns: number; readonly rows: number };

type Host = AsyncDisposable;

type HostDeps = {
	stdin: NodeJS.ReadStream;
	stdout: NodeJS.WriteStream;
	onKey: (key: KeyPress) => void;
	onSize: (size: WindowSize) => void;
};

const WHEEL_STEPS = 3;

export function openHost({ stdin, stdout, onKey, onSize }: HostDeps): Host {
	const filter = createInputFilter((name) => {
		for (let step = 0; step < WHEEL_STEPS; step += 1) onKey({ name, text: '' });
	});
	const app = render(createElement(App, { onKey, onSize }), {
		stdin: filtered(stdin, filter),
		stdout: muted(stdout),
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});
	return {
		async [Symbol.asyncDispose]() {
			app.unmount();
			await app.waitUntilExit();
		},
	};
}

function App({ onKey, onSize }: Pick<HostDeps, 'onKey' | 'onSize'>): null {
	const { columns, rows } = useWindowSize();
	useInput((input, key) => {
		for (const press of toKeyPresses(input, key)) onKey(press);
	});
	usePaste((text) => {
		if (text !== '') onKey({ name: 'paste', text });
	});
	useLayoutEffect(() => {
		onSize({ columns, rows });
	}, [columns, rows, onSize]);
	return null;
}

function filtered(stdin: NodeJS.ReadStream, filter: (piece: string) => string): NodeJS.ReadStream {
	function read(): string | null {
		for (let piece = stdin.read(); piece !== null; piece = stdin.read()) {
			const keys = filter(String(piece));
			if (keys !== '') return keys;
		}
		return null;
	}
	return withInstead(stdin, { read });
}

/** Discards all output. */
function muted(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
	function write(...[, ...rest]: unknown[]): boolean {
		const done = rest.find((argument) => typeof argument === 'function');
		if (done) queueMicrotask(() => done());
		return true;
	}
	return withInstead(stdout, { write });
}

function withInstead<Stream extends object>(stream: Stream, instead: Record<string, unknown>): Stream {
	return new Proxy(stream, {
		get(target, name) {
			if (typeof name === 'string' && name in instead) return instead[name];
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}
