// A card takes no answer right after it appeared: a tap that was meant for something else must not decide.
import { LOOK_MS } from '@roost/core/answers/when-ready';
import { useEffect, useState } from 'react';
import { useWorld } from '../data/use-world.ts';

/** `since`: when the card appeared. Never while the page is offline. */
export function useReady(since: number): boolean {
	const { offline } = useWorld();
	const [isReady, setReady] = useState(() => Date.now() - since >= LOOK_MS);
	useEffect(() => {
		if (isReady) return undefined;
		const timer = setTimeout(() => setReady(true), Math.max(0, since + LOOK_MS - Date.now()));
		return () => clearTimeout(timer);
	}, [isReady, since]);
	return isReady && offline === null;
}
