// Beside every page on a desk: the pages, and the sessions by attention.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { SessionTile } from '@roost/protocol/session-row';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useFleet } from '../data/use-fleet.tsx';
import { useWorld } from '../data/use-world.ts';
import { useAction, useKeyBoard } from '../keys/use-action.ts';
import { StatusSign } from '../parts/status-sign.tsx';
import { toGroups } from '../sessions/by-attention.ts';
import { useHeldPlaces } from '../sessions/use-held-places.ts';
import styles from './app.module.css';
import { Keys } from './keys.tsx';
import { PageLink } from './page-link.tsx';
import { listedPages } from './pages.ts';
import { RunnerSwitch } from './runner-switch.tsx';

/** More would not fit beside a page; the board has all of them. */
const MOST_RECENT = 20;

export function SideBar() {
	const { sessions } = useWorld();
	const { kind } = useFleet();
	const board = useKeyBoard();
	const place = useRef<HTMLElement>(null);
	const { rows: held, places } = useHeldPlaces(sessions, place);
	const groups = toGroups(held, places);
	useNeighbours(groups.flatMap(({ rows }) => rows));
	return (
		<aside className={styles.side} ref={place} aria-label="Navigation">
			<button type="button" className={styles.commands} onClick={() => board.perform('commands')}>
				<span>Commands</span>
				<Keys keys={['Mod+k']} />
			</button>
			<RunnerSwitch />
			<nav aria-label="Pages">
				{listedPages(kind).map((page) => (
					<PageLink key={page.path} {...page} />
				))}
			</nav>
			<nav aria-label="Sessions" className={styles.sessions}>
				{groups.map(({ name, rows }) => (
					<section key={name}>
						<h2>
							{name} <span>{rows.length}</span>
						</h2>
						{rows.slice(0, MOST_RECENT).map((row) => (
							<SessionLink key={row.id} row={row} />
						))}
					</section>
				))}
			</nav>
			<Link href="/new" className={styles.create}>
				New session
			</Link>
		</aside>
	);
}

function SessionLink({ row }: { row: SessionTile }) {
	const [path] = useLocation();
	const to = `/s/${row.id}`;
	const isHere = path === to || path.startsWith(`${to}/`);
	return (
		<Link href={to} aria-current={isHere ? 'page' : undefined} title={sanitiseLine(row.projectPath)}>
			<StatusSign row={row} />
			<span>{sanitiseLine(row.title || row.id)}</span>
		</Link>
	);
}

/** `[` and `]` go to the session before and after the open one. */
function useNeighbours(rows: readonly SessionTile[]): void {
	const [path, go] = useLocation();
	const at = rows.findIndex(({ id }) => path === `/s/${id}` || path.startsWith(`/s/${id}/`));
	const open = (row: SessionTile | undefined) => row && go(`/s/${row.id}`);
	useAction('previousSession', () => open(rows[at < 0 ? 0 : at - 1]), rows.length > 0);
	useAction('nextSession', () => open(rows[at + 1]), rows.length > 0);
}
