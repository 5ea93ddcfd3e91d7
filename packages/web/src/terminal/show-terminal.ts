// A terminal of the runner in a place of the page: its connection, its screen, and the size of both.
import { createTerminalClient } from '@roost/client/terminal-client';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { onReturn } from '../data/on-return.ts';
import { browserTimers, NEARBY } from '../data/timing.ts';
import { createScreen, type Screen, type ScreenEvents } from './screen.ts';
import { CONNECTING, type Shown } from './shown.ts';

export type ShownTerminal = Disposable & {
	readonly screen: Pick<Screen, 'focus' | 'paste' | 'text' | 'hasApplicationKeys' | 'setReader'>;
	type(keys: string): void;
	take(): void;
};

export type ShowTerminal = Pick<ScreenEvents, 'onLink' | 'onLeave'> & {
	openSocket: () => TerminalSocket;
	/** What typed keys mean, such as with a modifier of the key bar. */
	toKeys(typed: string): string;
	onChange(shown: Shown): void;
};

const SCROLLBACK = 1_000;
/** Of one frame: the runner closes a connection that sends too much at once. */
const MOST_INPUT = 64 * 1_024;

export function showTerminal(place: HTMLElement, show: ShowTerminal): ShownTerminal {
	let shown: Shown = { ...CONNECTING, since: Date.now() };
	const screen = createScreen(place, {
		onKeys: (keys) => type(show.toKeys(keys)),
		onBytes: (bytes) => send(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))),
		onLink: show.onLink,
		onLeave: show.onLeave,
	});
	let size = screen.fitting();
	const client = createTerminalClient({
		openSocket: show.openSocket,
		want: 'control',
		size,
		scrollback: SCROLLBACK,
		laterScrollback: SCROLLBACK,
		timers: browserTimers,
		random: Math.random,
		backoff: NEARBY,
		window: {
			snapshot: (bytes, drawnAt) => screen.draw(bytes, drawnAt).then(layOut),
			bytes: screen.write,
			attached: (row) => change({ state: 'live', row }),
			control({ holder }) {
				if (holder === 'you') client.resize(size);
				change({ holder });
			},
			resized(next) {
				screen.resize(next);
				layOut();
			},
			refused: () => {},
			lost: () => change({ state: 'reconnecting' }),
			ended: (over) => change({ state: 'ended', over, holder: 'nobody', endedUnseen: shown.state === 'reconnecting' }),
		},
	});
	const observer = new ResizeObserver(layOut);
	observer.observe(place);
	const stopWaking = onReturn(client.wake);

	function change(part: Partial<Shown>): void {
		const isSame = part.state === undefined || part.state === shown.state;
		shown = { ...shown, ...part, since: isSame ? shown.since : Date.now() };
		screen.setInput(shown.holder === 'you');
		layOut();
		show.onChange(shown);
	}

	/** The holder of control decides the size; others see that size, with smaller letters where it does not fit. */
	function layOut(): void {
		const next = screen.fitting();
		const isNew = next.cols !== size.cols || next.rows !== size.rows;
		size = next;
		if (isNew) client.resize(size);
		if (shown.holder !== 'you') screen.shrink();
	}

	function type(keys: string): void {
		send(new TextEncoder().encode(keys));
	}

	function send(bytes: Uint8Array): void {
		for (let at = 0; at < bytes.length; at += MOST_INPUT) client.type(bytes.subarray(at, at + MOST_INPUT));
	}

	return {
		screen,
		type,
		take: client.take,
		[Symbol.dispose]() {
			observer.disconnect();
			stopWaking();
			client[Symbol.dispose]();
			screen[Symbol.dispose]();
		},
	};
}
