// A part of the page that only the machine of the runner can fill: while it is away from its hub, the page says so instead.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { ReactNode } from 'react';
import { awayWords } from '../data/away.ts';
import { useWorld } from '../data/use-world.ts';
import styles from './parts.module.css';

/** `title`: of the page, unless it is a part of one. */
export function OnMachine({ title, children }: { title?: string; children?: ReactNode }) {
	const { away, now } = useWorld();
	if (away === null) return children;
	return (
		<section className={styles.away} data-state="away">
			{title === undefined ? null : <h1>{title}</h1>}
			<p>
				The runner <strong>{sanitiseLine(away.runner)}</strong> is {awayWords(away, now)}.
			</p>
			<p>This is read on its machine. Sessions, usage and requests on record can still be read.</p>
		</section>
	);
}
