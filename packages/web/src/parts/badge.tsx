// A word or two about the thing beside it.
import type { ReactNode } from 'react';
import styles from './badge.module.css';

export function Badge({ tone = 'dim', children }: { tone?: 'ok' | 'warn' | 'bad' | 'dim'; children: ReactNode }) {
	return (
		<span className={styles.badge} data-tone={tone}>
			{children}
		</span>
	);
}
