// The guard of a card that is shown: from its place, its input on screen, and the connection.
import type { AskRow } from '@roost/protocol/ask';
import { type RefObject, useState } from 'react';
import { useWorld } from '../data/use-world.ts';
import { type Guard, toGuard } from './guard.ts';
import { useReady } from './use-ready.ts';

export type CardGuard = Guard & {
	/** The end of the input was on screen. */
	seeEnd(): void;
	/** A form replaced the answers: it is as new as a card. */
	restart(): void;
};

export function useGuard(ask: AskRow, since: number, card: RefObject<HTMLElement | null>): CardGuard {
	const { connection, offline } = useWorld();
	const [from, setFrom] = useState(since);
	const [isEndSeen, setEndSeen] = useState(false);
	const isReady = useReady(from, card);
	return {
		...toGuard(ask, { isReady, isEndSeen, connection, offline }),
		seeEnd: () => setEndSeen(true),
		restart: () => setFrom(Date.now()),
	};
}
