// The marks of sessions that were looked at, in this browser's own storage.

import type { SessionTile } from '@roost/protocol/session-row';
import { useEffect, useSyncExternalStore } from 'react';
import { useRoute } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import { markAllSeen, markSeen, parseSeen, type Seen, startSeen } from './seen.ts';

const KEY = 'seen';
const handlers = new Set<() => void>();
let current: { text: string | null; seen: Seen } | undefined;

/** Another tab of this browser may have changed it. */
function read(): Seen {
	const text = localStorage.getItem(KEY);
	if (current === undefined || current.text !== text) current = { text, seen: parseSeen(text) ?? startSeen(Date.now()) };
	return current.seen;
}

function write(seen: Seen): void {
	if (localStorage.getItem(KEY) !== null && seen === read()) return;
	localStorage.setItem(KEY, JSON.stringify(seen));
	for (const handler of handlers) handler();
}

function subscribe(handler: () => void): () => void {
	handlers.add(handler);
	addEventListener('storage', handler);
	return () => {
		handlers.delete(handler);
		removeEventListener('storage', handler);
	};
}

export function useSeen(): Seen {
	return useSyncExternalStore(subscribe, read);
}

export function dismissAll(sessions: readonly SessionTile[]): void {
	write(markAllSeen(sessions, Date.now()));
}

/** Marks the session whose page is open, and on the first visit everything. */
export function useSeenSessions(): void {
	const { sessions, login } = useWorld();
	const [, params] = useRoute('/s/:id/*?');
	const open = sessions.find(({ id }) => id === params?.id);
	useEffect(() => {
		if (login.state === 'in') write(open ? markSeen(read(), open) : read());
	}, [login.state, open]);
}
