// Does something again and again while it is on, and not while the tab is hidden.
import { useEffect, useRef } from 'react';

export function useInterval(perform: () => void, everyMs: number, isOn: boolean): void {
	const latest = useRef(perform);
	latest.current = perform;
	useEffect(() => {
		if (!isOn) return undefined;
		const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), everyMs);
		return () => clearInterval(timer);
	}, [everyMs, isOn]);
}
