// The input of a call in a box that scrolls if it is long, and the end of it: whether it was on screen.
import type { AskRow } from '@roost/protocol/ask';
import { type RefObject, useEffect, useRef } from 'react';
import { AskInput } from './ask-input.tsx';
import styles from './asks.module.css';
import { useScrollable } from './use-scrollable.ts';

export function WholeInput({ ask, onEnd }: { ask: AskRow; onEnd: () => void }) {
	const box = useRef<HTMLDivElement>(null);
	const end = useRef<HTMLParagraphElement>(null);
	useScrollable(box);
	useOnScreen(end, onEnd);
	return (
		<div ref={box} className={styles.box}>
			<AskInput ask={ask} />
			<p ref={end} className={styles.end}>
				(all of it)
			</p>
		</div>
	);
}

function useOnScreen(target: RefObject<HTMLElement | null>, onSeen: () => void): void {
	const latest = useRef(onSeen);
	latest.current = onSeen;
	useEffect(() => {
		if (!target.current) return undefined;
		const observer = new IntersectionObserver((entries) => {
			if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
		});
		observer.observe(target.current);
		return () => observer.disconnect();
	}, [target]);
}
