// All pages, and what belongs to this browser: its keys and its login.
import { useConnected } from '../data/use-connected.ts';
import { useKeyBoard } from '../keys/use-action.ts';
import styles from './app.module.css';
import { PageLink } from './page-link.tsx';
import { LISTED } from './pages.ts';

export function More() {
	const { logOut } = useConnected();
	const board = useKeyBoard();
	return (
		<section aria-labelledby="more" className={styles.more}>
			<h1 id="more">More</h1>
			<nav aria-label="All pages">
				<PageLink path="/new" name="New session" />
				{LISTED.map((page) => (
					<PageLink key={page.path} {...page} />
				))}
			</nav>
			<button type="button" onClick={() => board.perform('help')}>
				Keyboard shortcuts
			</button>
			<button type="button" onClick={() => void logOut()}>
				Log out
			</button>
		</section>
	);
}
