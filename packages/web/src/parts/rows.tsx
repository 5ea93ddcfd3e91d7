// Rows of a list: what each is, a line about it, and its buttons. What takes the focus in a row has `data-row`.
import type { ReactNode } from 'react';
import styles from './rows.module.css';

export function Rows({ label, children }: { label: string; children: ReactNode }) {
	return (
		<ul aria-label={label} className={styles.rows}>
			{children}
		</ul>
	);
}

type RowProps = {
	title: ReactNode;
	about?: ReactNode;
	/** At its end, such as buttons. */
	end?: ReactNode;
	/** Below it, while it is open. */
	children?: ReactNode;
};

export function Row({ title, about, end, children }: RowProps) {
	return (
		<li className={styles.row}>
			<div className={styles.line}>
				<div className={styles.words}>
					<div className={styles.title}>{title}</div>
					{about === undefined ? null : <p className={styles.about}>{about}</p>}
				</div>
				{end === undefined ? null : <div className={styles.end}>{end}</div>}
			</div>
			{children}
		</li>
	);
}
