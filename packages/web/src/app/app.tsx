// The frame of every page: navigation, the state of the connection, and the page of the address.
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { AskDialog } from '../asks/ask-dialog.tsx';
import { clockWords } from '../data/away.ts';
import { useFleet } from '../data/use-fleet.tsx';
import { useSource, useWorld } from '../data/use-world.ts';
import type { ActionName } from '../keys/actions.ts';
import { useAction } from '../keys/use-action.ts';
import { Reading } from '../parts/reading.tsx';
import styles from './app.module.css';
import { ChosenRunner } from './chosen-runner.tsx';
import { Connection, ConnectionBar } from './connection.tsx';
import { LoggedOut } from './logged-out.tsx';
import { Overlays } from './overlays.tsx';
import { PAGES } from './pages.ts';
import { RunnerName } from './runner-switch.tsx';
import { SideBar } from './side-bar.tsx';
import { Tabs } from './tabs.tsx';

/** The frame of every page of a runner. */
function Frame() {
	return (
		<div className={styles.page}>
			<a className={styles.skip} href="#main">
				Skip to content
			</a>
			<header className={styles.top}>
				<span className={styles.name}>
					<Link href="/">Roost</Link>
					<RunnerName />
				</span>
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

export function App() {
	const { out } = useFleet();
	if (out !== undefined) return <LoggedOut why={out} />;
	return (
		<ChosenRunner>
			<Frame />
		</ChosenRunner>
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

function Problem() {
	const source = useSource();
	const { problem, queuedUntil, now } = useWorld();
	if (problem === null && queuedUntil === null) return null;
	const isFailure = problem !== null;
	return (
		<div className={styles.problem} role={isFailure ? 'alert' : 'status'} data-state={isFailure ? 'failed' : 'queued'}>
			{isFailure ? (
				<p>{problem}</p>
			) : (
				<p>
					Queued until {clockWords(queuedUntil ?? now, now)}: the runner is offline. <Link href="/queued">Queued commands</Link>
				</p>
			)}
			<button type="button" onClick={source.dismissProblem}>
				Dismiss
			</button>
		</div>
	);
}
