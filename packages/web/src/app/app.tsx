// The frame of every page: navigation, the state of the connection, and the page of the address.
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { AskDialog } from '../asks/ask-dialog.tsx';
import { useSource, useWorld } from '../data/use-world.ts';
import type { ActionName } from '../keys/actions.ts';
import { useAction } from '../keys/use-action.ts';
import { Command } from '../parts/command.tsx';
import { Reading } from '../parts/reading.tsx';
import styles from './app.module.css';
import { Connection, ConnectionBar } from './connection.tsx';
import { Overlays } from './overlays.tsx';
import { PAGES } from './pages.ts';
import { SideBar } from './side-bar.tsx';
import { Tabs } from './tabs.tsx';

export function App() {
	const { login } = useWorld();
	if (login.state === 'out') return <LoggedOut why={login.why} />;
	return (
		<div className={styles.page}>
			<a className={styles.skip} href="#main">
				Skip to content
			</a>
			<header className={styles.top}>
				<Link href="/">Roost</Link>
				<Connection />
				<ConnectionBar />
			</header>
			<SideBar />
			<main className={styles.main} id="main">
				<Problem />
				<Suspense fallback={<Reading />}>
					<Switch>
						{PAGES.map(({ path, page }) => (
							<Route key={path} path={path} component={page} />
						))}
						<Route>
							<NotFound />
						</Route>
					</Switch>
				</Suspense>
			</main>
			<Tabs />
			{PAGES.map(({ path, action }) => (action ? <PageAction key={path} action={action} path={path} /> : null))}
			<Overlays />
			<AskDialog />
		</div>
	);
}

function PageAction({ action, path }: { action: ActionName; path: string }) {
	const [, go] = useLocation();
	useAction(action, () => go(path));
	return null;
}

function NotFound() {
	return (
		<section className={styles.notFound}>
			<h1>Page not found</h1>
			<p>
				Go to the <Link href="/">inbox</Link> or the <Link href="/board">board</Link>.
			</p>
		</section>
	);
}

function LoggedOut({ why }: { why: string }) {
	return (
		<main className={styles.out} data-state="logged-out">
			<h1>Roost</h1>
			<p role="alert">{why}</p>
			<p>Run this in a terminal, and open the link that it prints:</p>
			<Command>roost status --link</Command>
		</main>
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
