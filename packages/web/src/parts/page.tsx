// A page with its heading and the actions beside it. `j` and `k` walk through everything in it that is marked as a row.
import { type ReactNode, useId, useRef } from 'react';
import { useRowKeys } from '../keys/use-row-keys.ts';
import styles from './page.module.css';

type PageProps = { title: ReactNode; actions?: ReactNode; children: ReactNode };

export function Page({ title, actions, children }: PageProps) {
	const section = useRef<HTMLElement>(null);
	const id = useId();
	useRowKeys(section, '[data-row]');
	return (
		<section ref={section} aria-labelledby={id} className={styles.page}>
			<header className={styles.head}>
				<h1 id={id}>{title}</h1>
				{actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
			</header>
			{children}
		</section>
	);
}

type PartProps = { title: ReactNode; note?: ReactNode; children: ReactNode };

/** A part of a page with a heading of its own. */
export function Part({ title, note, children }: PartProps) {
	const id = useId();
	return (
		<section aria-labelledby={id} className={styles.part}>
			<header>
				<h2 id={id}>{title}</h2>
				{note === undefined ? null : <p className={styles.note}>{note}</p>}
			</header>
			{children}
		</section>
	);
}

/** What a page says if it has nothing to show. */
export function Empty({ children }: { children: ReactNode }) {
	return (
		<div className={styles.empty} data-state="empty">
			{children}
		</div>
	);
}
