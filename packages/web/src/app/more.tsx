// All pages, and what belongs to this browser: its keys and its login.
import { useConnected } from '../data/use-connected.ts';
import { useFleet } from '../data/use-fleet.tsx';
import { useKeyBoard } from '../keys/use-action.ts';
import styles from './app.module.css';
import { PageLink } from './page-link.tsx';
import { listedPages } from './pages.ts';
import { RunnerSwitch } from './runner-switch.tsx';

export function More() {
	const { logOut } = useConnected();
	const { kind } = useFleet();
	const board = useKeyBoard();
	return (
		<section aria-labelledby="more" className={styles.more}>
			<h1 id="more">More</h1>
			<RunnerSwitch />
			<nav aria-label="All pages">
				<PageLink path="/new" name="New session" />
				{listedPages(kind).map((page) => (
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
