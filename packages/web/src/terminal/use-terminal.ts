// A terminal for a component: shown while it is mounted, with the modifiers of the key bar and the link that the user chose.
import { API } from '@roost/protocol/contract/api-path';
import type { TerminalId } from '@roost/protocol/ids';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import {
	type BarKey,
	isOneCharacter,
	keyBytes,
	type Modifiers,
	NO_MODIFIERS,
	press,
	release,
	withModifiers,
} from './bar-keys.ts';
import { type ShownTerminal, showTerminal } from './show-terminal.ts';
import { CONNECTING, type Shown } from './shown.ts';

/** `onLeave`: the user moves the focus out of the terminal. */
export function useTerminal(id: TerminalId, onLeave: () => void) {
	const { openSocket } = useConnected();
	const place = useRef<HTMLElement>(null);
	const terminal = useRef<ShownTerminal>(undefined);
	const left = useRef(onLeave);
	left.current = onLeave;
	const [shown, setShown] = useState<Shown>(() => ({ ...CONNECTING, since: Date.now() }));
	const [link, setLink] = useState<string>();
	const { modifiers, changeModifiers, toKeys } = useModifiers();

	useEffect(() => {
		if (!place.current) return undefined;
		const opened = showTerminal(place.current, {
			openSocket: () => openSocket(`${API}/terminals/${id}`),
			toKeys,
			onChange: setShown,
			onLink: setLink,
			onLeave: () => left.current(),
		});
		terminal.current = opened;
		const close = () => opened[Symbol.dispose]();
		// Control is free at once only if the connection is closed in order.
		addEventListener('pagehide', close);
		addEventListener('pageshow', reloadCached);
		return () => {
			removeEventListener('pagehide', close);
			removeEventListener('pageshow', reloadCached);
			close();
		};
	}, [id, openSocket, toKeys]);

	function typeKey(key: BarKey): void {
		const { current } = terminal;
		current?.type(keyBytes(key, modifiers, current.screen.hasApplicationKeys()));
		changeModifiers(release);
	}

	return {
		place,
		shown,
		link,
		closeLink: () => setLink(undefined),
		take() {
			terminal.current?.take();
			terminal.current?.screen.focus();
		},
		setReader: useCallback((isOn: boolean) => terminal.current?.screen.setReader(isOn), []),
		keyBar: {
			modifiers,
			onModifier: (name: keyof Modifiers) => changeModifiers((held) => press(held, name)),
			onKey: typeKey,
			onPaste: (text: string) => terminal.current?.screen.paste(text),
			text: () => terminal.current?.screen.text() ?? '',
		},
	};
}

/** Also for keys that are typed on a keyboard, which arrive outside of a render. */
function useModifiers() {
	const held = useRef(NO_MODIFIERS);
	const [modifiers, setModifiers] = useState(NO_MODIFIERS);
	const changeModifiers = useCallback((change: (before: Modifiers) => Modifiers) => {
		held.current = change(held.current);
		setModifiers(held.current);
	}, []);
	const toKeys = useCallback(
		(typed: string) => {
			const keys = withModifiers(typed, held.current);
			if (isOneCharacter(typed)) changeModifiers(release);
			return keys;
		},
		[changeModifiers],
	);
	return { modifiers, changeModifiers, toKeys };
}

/** A page from the browser's cache has no terminal any more. */
function reloadCached({ persisted }: PageTransitionEvent): void {
	if (persisted) location.reload();
}
