// Ends the program of a terminal, after a question.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { Confirm } from './confirm.tsx';
import styles from './terminal.module.css';

export function CloseTerminal({ row, onClosed }: { row: TerminalRow; onClosed?: () => void }) {
	const { api } = useConnected();
	const [isAsking, setAsking] = useState(false);
	const [problem, setProblem] = useState('');

	async function close(): Promise<void> {
		const closed = await api.terminals.close({ id: row.id, commandId: crypto.randomUUID() });
		if (!closed.ok) return setProblem(closed.error.message);
		setAsking(false);
		onClosed?.();
	}

	return (
		<>
			<button type="button" aria-label={`Close ${sanitiseLine(row.title)}`} onClick={() => setAsking(true)}>
				Close…
			</button>
			{isAsking ? (
				<Confirm title="Close this terminal?" onClose={() => setAsking(false)}>
					<p>
						This ends <code>{sanitiseLine(row.title)}</code> and everything that it started.
					</p>
					{problem === '' ? null : <p role="alert">{sanitiseLine(problem)}</p>}
					<button type="button" className={styles.danger} onClick={() => void close()}>
						Close terminal
					</button>
				</Confirm>
			) : null}
		</>
	);
}
