// What helps to decide, on request: why a call is asked and rated, and what happened before it.
import type { AskRow } from '@roost/protocol/ask';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Reading } from '../parts/reading.tsx';
import styles from './asks.module.css';

/** Apart, because they bring the reader of shell commands and the titles of events along. */
const Why = lazy(async () => ({ default: (await import('./why.tsx')).Why }));
const BeforeThis = lazy(async () => ({ default: (await import('./before-this.tsx')).BeforeThis }));

export function AskContext({ ask }: { ask: AskRow }) {
	return (
		<div className={styles.context}>
			{ask.kind === 'permission' ? (
				<Disclosure words="Why">
					<Why ask={ask} />
				</Disclosure>
			) : null}
			<Disclosure words="Before this">
				<BeforeThis ask={ask} />
			</Disclosure>
		</div>
	);
}

function Disclosure({ words, children }: { words: string; children: ReactNode }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary>{words}</summary>
			{isOpen ? <Suspense fallback={<Reading />}>{children}</Suspense> : null}
		</details>
	);
}
