// Running terminals and those that ended recently; a new shell in a folder.
import { age } from '@roost/core/display/age';
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { endedWords } from '@roost/core/views/terminal-words';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import { NotRead } from '../parts/reading.tsx';
import { CloseTerminal } from './close-terminal.tsx';
import styles from './terminals.module.css';
import { useOpenShell } from './use-open-shell.ts';

/** The runner does not report changes of this list. */
const AGAIN_MS = 3_000;

export function Terminals() {
	const { api } = useConnected();
	const { value: rows, problem, again } = useRead('terminals', () => api.terminals.list());
	useEffect(() => {
		const timer = setInterval(() => document.visibilityState === 'visible' && again(), AGAIN_MS);
		return () => clearInterval(timer);
	});
	return (
		<section aria-labelledby="terminals">
			<h1 id="terminals" className={styles.heading}>
				Terminals
			</h1>
			<NewShell />
			{rows === undefined ? <NotRead problem={problem} again={again} /> : <List rows={rows} onClosed={again} />}
		</section>
	);
}

function List({ rows, onClosed }: { rows: readonly TerminalRow[]; onClosed: () => void }) {
	if (rows.length === 0) return <p className={styles.empty}>No terminals.</p>;
	const sorted = rows.toSorted((a, b) => Number(isEnded(a)) - Number(isEnded(b)) || b.openedAt - a.openedAt);
	return (
		<ul className={styles.list}>
			{sorted.map((row) => (
				<Row key={row.id} row={row} onClosed={onClosed} />
			))}
		</ul>
	);
}

function Row({ row, onClosed }: { row: TerminalRow; onClosed: () => void }) {
	const { now } = useWorld();
	const about = [
		row.state === 'running' ? 'running' : endedWords(row),
		`opened ${age(row.openedAt, now)} ago`,
		...(row.viewers > 0 ? [plural(row.viewers, 'viewer')] : []),
		...(row.recording === null ? [] : ['recorded']),
	];
	return (
		<li className={styles.row} data-terminal={row.id} data-state={row.state}>
			<div className={styles.about}>
				<Link href={`/t/${row.id}`} className={styles.title}>
					{sanitiseLine(row.title)}
				</Link>
				<p>{about.join(' · ')}</p>
				<p>
					{sanitiseLine(row.cwd)}
					{row.sessionId === null ? null : (
						<>
							{' · '}
							<Link href={`/s/${row.sessionId}`}>session {row.sessionId}</Link>
						</>
					)}
				</p>
			</div>
			{isEnded(row) ? null : <CloseTerminal row={row} onClosed={onClosed} />}
		</li>
	);
}

function NewShell() {
	const { api } = useConnected();
	const { sessions } = useWorld();
	const found = useRead('projects', () => api.projects.list()).value?.projects ?? [];
	const folders = [...new Set([...sessions.map(({ projectPath }) => projectPath), ...found.map(({ path }) => path)])];
	const [typed, setTyped] = useState<string>();
	const { open, problem, isOpening } = useOpenShell();
	const id = useId();
	const folder = typed ?? folders[0] ?? '';
	return (
		<form
			className={styles.new}
			onSubmit={(event) => {
				event.preventDefault();
				open({ projectId: folder });
			}}
		>
			<label htmlFor={id}>Folder</label>
			<input
				id={id}
				type="text"
				list={`${id}-folders`}
				value={folder}
				onChange={({ target }) => setTyped(target.value)}
				placeholder="/path/to/project"
				autoComplete="off"
				spellCheck={false}
			/>
			<datalist id={`${id}-folders`}>
				{folders.map((path) => (
					<option key={path} value={path} />
				))}
			</datalist>
			<button type="submit" disabled={folder === '' || isOpening}>
				Open a shell
			</button>
			{problem === '' ? null : <p role="alert">{sanitiseLine(problem)}</p>}
		</form>
	);
}

function isEnded({ state }: TerminalRow): boolean {
	return state === 'ended';
}
