// The frame of every page: navigation, the state of the connection, and the page of the address.
import { Link, Route, Switch, useLocation } from 'wouter';
import { Inbox } from '../asks/inbox.tsx';
import { useSource, useWorld } from '../data/use-world.ts';
import { Board } from '../sessions/board.tsx';
import styles from './app.module.css';
import { connectionWords } from './connection-words.ts';

const PAGES = [
	{ path: '/', name: 'Inbox' },
	{ path: '/board', name: 'Board' },
] as const;

export function App({ logOut }: { logOut: () => Promise<void> }) {
	const { login, asks } = useWorld();
	const [path] = useLocation();
	if (login.state === 'out') return <LoggedOut why={login.why} />;
	return (
		<div className={styles.page}>
			<header className={styles.header}>
				<strong>Roost</strong>
				<nav className={styles.nav} aria-label="Pages">
					{PAGES.map(({ path: to, name }) => (
						<Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
							{name}
							{to === '/' && asks.length > 0 ? <span className={styles.count}>{asks.length}</span> : null}
						</Link>
					))}
				</nav>
				<Connection />
				<button type="button" onClick={() => void logOut()}>
					Log out
				</button>
			</header>
			<Problem />
			<main className={styles.main}>
				<Switch>
					<Route path="/" component={Inbox} />
					<Route path="/board" component={Board} />
					<Route>
						<h1>Page not found</h1>
					</Route>
				</Switch>
			</main>
		</div>
	);
}

function LoggedOut({ why }: { why: string }) {
	return (
		<main className={styles.out} data-state="logged-out">
			<h1>Roost</h1>
			<p role="alert">{why}</p>
		</main>
	);
}

function Connection() {
	const { connection } = useWorld();
	return (
		<p className={styles.connection} role="status" data-state={connection.state}>
			{connectionWords(connection)}
		</p>
	);
}

function Problem() {
	const source = useSource();
	const { problem } = useWorld();
	if (problem === null) return null;
	return (
		<div className={styles.problem} role="alert">
			<p>{problem}</p>
			<button type="button" onClick={source.dismissProblem}>
				Dismiss
			</button>
		</div>
	);
}
