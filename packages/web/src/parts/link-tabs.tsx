// A choice between views of a page, as links: the address says which one is shown.
import { Link } from 'wouter';
import styles from './link-tabs.module.css';

type Tab = { readonly href: string; readonly words: string; readonly isCurrent: boolean };

export function LinkTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
	return (
		<nav aria-label={label} className={styles.tabs}>
			{tabs.map(({ href, words, isCurrent }) => (
				<Link key={href} href={href} aria-current={isCurrent ? 'true' : undefined}>
					{words}
				</Link>
			))}
		</nav>
	);
}
