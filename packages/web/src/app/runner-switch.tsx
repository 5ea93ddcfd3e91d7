// Which runner the page is about, where there are several: its name beside that of the page, and a choice of another one.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { awayWords } from '../data/away.ts';
import type { ServedRunner } from '../data/fleet.ts';
import { useFleet, useHasSeveral, useRunner } from '../data/use-fleet.tsx';
import { useWorld } from '../data/use-world.ts';
import styles from './app.module.css';

/** Other runners do not have what these addresses name. */
const OF_ONE_RUNNER = /^\/(?:s|t|projects)\/.*/;

export function RunnerName() {
	const { row } = useRunner();
	const hasSeveral = useHasSeveral();
	return row && hasSeveral ? <span className={styles.runner}>{sanitiseLine(row.name)}</span> : null;
}

export function RunnerSwitch() {
	const { runners = [] } = useFleet();
	const chosen = useRunner();
	const { now } = useWorld();
	const [path, go] = useLocation();
	const field = useId();
	if (runners.length < 2) return null;
	return (
		<div className={styles.switchRunner}>
			<label htmlFor={field}>Runner</label>
			<select
				id={field}
				value={chosen.id}
				onChange={({ target }) => go(`~/r/${encodeURIComponent(target.value)}${path.replace(OF_ONE_RUNNER, '/board')}`)}
			>
				{runners.map((runner) => (
					<option key={runner.id} value={runner.id}>
						{toWords(runner, now)}
					</option>
				))}
			</select>
		</div>
	);
}

function toWords({ row }: ServedRunner, now: number): string {
	if (!row) return '';
	return sanitiseLine(row.online ? row.name : `${row.name} · ${awayWords(row, now)}`);
}
