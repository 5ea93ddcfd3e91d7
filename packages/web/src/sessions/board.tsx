// All sessions: those that wait for you first, then the working ones, then the rest.
import { age } from '@roost/core/display/age';
import { money, short } from '@roost/core/display/amounts';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { stateWords } from '@roost/core/views/words';
import type { SessionTile } from '@roost/protocol/session-row';
import { useWorld } from '../data/use-world.ts';
import styles from './board.module.css';
import { byAttention } from './by-attention.ts';

export function Board() {
	const { sessions, now } = useWorld();
	const shown = byAttention(sessions);
	return (
		<section aria-labelledby="board">
			<h1 id="board" className={styles.heading}>
				Sessions
			</h1>
			{shown.length === 0 ? (
				<p className={styles.empty}>
					No sessions yet. Start one with <code>roost run "explain this repository"</code>.
				</p>
			) : null}
			<ul className={styles.tiles}>
				{shown.map((row) => (
					<Tile key={row.id} row={row} now={now} />
				))}
			</ul>
		</section>
	);
}

function Tile({ row, now }: { row: SessionTile; now: number }) {
	const figures = [
		row.tasks ? `${row.tasks.done}/${row.tasks.total} tasks` : '',
		row.tokens ? `${short(row.tokens)} tokens` : '',
		row.costUsdEstimate === undefined ? '' : money(row.costUsdEstimate),
	].filter((figure) => figure !== '');
	return (
		<li className={styles.tile} data-session={row.id} data-status={row.status}>
			<p className={styles.title}>{sanitiseLine(row.title || row.id)}</p>
			<p className={styles.about}>
				{row.agent} · <span className={styles.status}>{sanitiseLine(stateWords(row))}</span> · {age(row.lastEventAt, now)} ago
			</p>
			{row.lastTitle ? <p className={styles.last}>{sanitiseLine(row.lastTitle)}</p> : null}
			<p className={styles.about}>{sanitiseLine([...figures, row.projectPath].join(' · '))}</p>
		</li>
	);
}
