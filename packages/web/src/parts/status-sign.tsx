// The state of a session as a sign with its word, so that no meaning depends on colour or shape alone.
import { stateWords } from '@roost/core/views/words';
import type { SessionRow } from '@roost/protocol/session-row';
import styles from './parts.module.css';

export type Tone = 'waiting' | 'working' | 'failed' | 'quiet';

export function toneOf({ status, lastRun }: Pick<SessionRow, 'status' | 'lastRun'>): Tone {
	if (status === 'waiting' || status === 'working') return status;
	return status === 'interrupted' || lastRun === 'failed' ? 'failed' : 'quiet';
}

const SIGNS: Readonly<Record<Tone, string>> = { waiting: '◐', working: '●', failed: '✗', quiet: '○' };

export function StatusSign({ row }: { row: SessionRow }) {
	const tone = toneOf(row);
	return (
		<span className={styles.sign} data-tone={tone}>
			<span aria-hidden="true">{SIGNS[tone]}</span>
			<span className={styles.unseen}>{stateWords(row)}: </span>
		</span>
	);
}
