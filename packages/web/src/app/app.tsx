// The frame of every page: navigation, the state of the connection, and the page of the address.
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useSource, useWorld } from '../data/use-world.ts';
import type { ActionName } from '../keys/actions.ts';
import { useAction } from '../keys/use-action.ts';
import { Reading } from '../parts/reading.tsx';
import styles from './app.module.css';
import { connectionWords } from './connection-words.ts';
import { PAGES } from './pages.ts';

const LISTED = PAGES.filter(({ name }) => name !== undefined);

export function App() {
	const { logOut } = useConnected();
	const { login, asks } = useWorld();
	const [path] = useLocation();
	if (login.state === 'out') return <LoggedOut why={login.why} />;
	return (
		<div className={styles.page}>
			<header className={styles.header}>
				<strong>Roost</strong>
				<nav className={styles.nav} aria-label="Pages">
					{LISTED.map(({ path: to, name }) => (
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
			{PAGES.map(({ path: to, action }) => (action ? <PageAction key={to} action={action} path={to} /> : null))}
			<main className={styles.main}>
				<Suspense fallback={<Reading />}>
					<Switch>
						{PAGES.map(({ path: to, page }) => (
							<Route key={to} path={to} component={page} />
						))}
						<Route>
							<h1>Page not found</h1>
						</Route>
					</Switch>
				</Suspense>
			</main>
		</div>
	);
}

function PageAction({ action, path }: { action: ActionName; path: string }) {
	const [, go] = useLocation();
	useAction(action, () => go(path));
	return null;
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
