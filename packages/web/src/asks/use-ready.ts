// A card takes no answer right after it appeared: a tap that was meant for something else must not decide.
import { useEffect, useState } from 'react';

const SETTLE_MS = 400;

/** `since`: when the card appeared. */
export function useReady(since: number): boolean {
	const [isReady, setReady] = useState(() => Date.now() - since >= SETTLE_MS);
	useEffect(() => {
		if (isReady) return undefined;
		const timer = setTimeout(() => setReady(true), Math.max(0, since + SETTLE_MS - Date.now()));
		return () => clearTimeout(timer);
	}, [isReady, since]);
	return isReady;
}
