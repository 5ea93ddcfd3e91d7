// The runner that the page is about: the one in the address, where there are several. `/r/ID` is the base of all its addresses.
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { navigate, useBrowserLocation } from 'wouter/use-browser-location';
import type { ServedRunner } from '../data/fleet.ts';
import { isOpen, RunnerScope, runnerBase, useEntrance, useFleet } from '../data/use-fleet.tsx';
import { NotLoaded } from '../parts/not-loaded.tsx';
import styles from './app.module.css';

const LAST = 'runner';

const Joined = lazy(async () => ({
	default: await import('../hub/joined.tsx').then(
		(file) => file.Joined,
		() => NotLoaded,
	),
}));
const NoRunner = lazy(async () => ({
	default: await import('../hub/no-runner.tsx').then(
		(file) => file.NoRunner,
		() => NotLoaded,
	),
}));

export function ChosenRunner({ children }: { children: ReactNode }) {
	return (
		<Suspense>
			<Choice>{children}</Choice>
		</Suspense>
	);
}

function Choice({ children }: { children: ReactNode }) {
	const { runners } = useFleet();
	const [path] = useBrowserLocation();
	if (path === '/join') return <Joined />;
	if (runners === undefined) return <Starting />;
	const [first] = runners;
	if (!first) return <NoRunner />;
	const named = first.id === undefined ? undefined : /^\/r\/([^/]+)/.exec(path)?.[1];
	if (named === undefined && runners.length > 1) return <ToLast runners={runners} />;
	const chosen = named === undefined ? first : runners.find((one) => runnerBase(one) === `/r/${named}`);
	if (!chosen) return <NoRunner />;
	return (
		<Opened runner={chosen} base={named === undefined ? '' : runnerBase(chosen)}>
			{children}
		</Opened>
	);
}

/** As it was painted before the scripts ran, until a hub has listed its runners. */
function Starting() {
	return (
		<main className={styles.starting}>
			<h1>Roost</h1>
			<p role="status">Connecting…</p>
		</main>
	);
}

/** Each with state of its own. */
function Opened({ runner, base, children }: { runner: ServedRunner; base: string; children: ReactNode }) {
	const { fleet } = useEntrance();
	const { id } = runner;
	useEffect(() => {
		if (id === undefined) return;
		localStorage.setItem(LAST, id);
		fleet.open(id);
	}, [id, fleet]);
	if (!isOpen(runner)) return null;
	return (
		<RunnerScope key={id} runner={runner} base={base}>
			{children}
		</RunnerScope>
	);
}

/** An address without a runner, such as the start page: the one that was shown last, else one that is online. */
function ToLast({ runners }: { runners: readonly ServedRunner[] }) {
	useEffect(() => {
		const last = localStorage.getItem(LAST);
		const to = runners.find(({ id }) => id === last) ?? runners.find(({ row }) => row?.online) ?? runners[0];
		if (to) navigate(`${runnerBase(to)}${location.pathname}${location.search}`, { replace: true });
	}, [runners]);
	return null;
}
