// All sessions as tiles: those that wait for you first, then the working ones, then the rest.
import { age } from '@roost/core/display/age';
import { money, short } from '@roost/core/display/amounts';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { stateWords } from '@roost/core/views/words';
import type { SessionTile } from '@roost/protocol/session-row';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import { useRowKeys } from '../keys/use-row-keys.ts';
import { Command } from '../parts/command.tsx';
import { StatusSign } from '../parts/status-sign.tsx';
import styles from './board.module.css';
import { useHeldPlaces } from './use-held-places.ts';

export function Board() {
	const { sessions, now, connection } = useWorld();
	const [, go] = useLocation();
	const list = useRef<HTMLUListElement>(null);
	const { rows } = useHeldPlaces(sessions, list);
	useRowKeys(list, 'a');
	return (
		<section aria-labelledby="board">
			<header className={styles.head}>
				<h1 id="board">Board</h1>
				<button type="button" onClick={() => go('/new')}>
					New session
				</button>
			</header>
			{rows.length === 0 && connection.state === 'live' ? <NoSessions /> : null}
			<ul className={styles.tiles} ref={list}>
				{rows.map((row) => (
					<Tile key={row.id} row={row} now={now} />
				))}
			</ul>
		</section>
	);
}

function NoSessions() {
	const [agent] = useWorld().agents;
	return (
		<div className={styles.empty}>
			<p>No sessions yet. Run an agent in a project, or hand it a task:</p>
			{agent ? <Command>{`roost ${agent.id}`}</Command> : null}
			<Command>{'roost run "explain this repository"'}</Command>
		</div>
	);
}

function Tile({ row, now }: { row: SessionTile; now: number }) {
	return (
		<li data-session={row.id} data-status={row.status}>
			<Link href={`/s/${row.id}`} className={styles.tile}>
				<p className={styles.title}>
					<StatusSign row={row} />
					<span>{sanitiseLine(row.title || row.id)}</span>
				</p>
				<p className={styles.about}>
					<span>{sanitiseLine(`${row.agent} · ${folderOf(row.projectPath)}`)}</span>
					<span className={styles.status}>{sanitiseLine(stateWords(row))}</span>
				</p>
				<p className={styles.last}>{sanitiseLine(row.lastTitle ?? '')}</p>
				<p className={styles.about}>
					<span>{figuresOf(row).join(' · ')}</span>
					<span>{age(row.lastEventAt, now)} ago</span>
				</p>
			</Link>
		</li>
	);
}

function figuresOf({ tasks, tokens, costUsdEstimate }: SessionTile): string[] {
	return [
		tasks ? `${tasks.done} of ${tasks.total} tasks` : '',
		tokens ? `${short(tokens)} tokens` : '',
		costUsdEstimate === undefined ? '' : money(costUsdEstimate),
	].filter((figure) => figure !== '');
}

function folderOf(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1) || path;
}
