// Below every page on a phone: the pages that are needed most, and one with the rest.

import styles from './app.module.css';
import { PageLink } from './page-link.tsx';

const TABS = [
	{ path: '/', name: 'Inbox' },
	{ path: '/board', name: 'Board' },
	{ path: '/search', name: 'Search' },
	{ path: '/more', name: 'More' },
] as const;

export function Tabs() {
	return (
		<nav className={styles.tabs} aria-label="Tabs">
			{TABS.map((tab) => (
				<PageLink key={tab.path} {...tab} />
			))}
		</nav>
	);
}
