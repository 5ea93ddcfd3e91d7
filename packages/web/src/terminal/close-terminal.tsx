// Ends the program of a terminal, after a question.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';

export function CloseTerminal({ row, onClosed }: { row: TerminalRow; onClosed?: () => void }) {
	const { api } = useConnected();
	const [isAsking, setAsking] = useState(false);

	async function close() {
		const closed = await api.terminals.close({ id: row.id, commandId: crypto.randomUUID() });
		if (closed.ok) onClosed?.();
		return closed;
	}

	return (
		<>
			<button type="button" aria-label={`Close ${sanitiseLine(row.title)}`} onClick={() => setAsking(true)}>
				Close…
			</button>
			{isAsking ? (
				<ConfirmDialog title="Close this terminal?" action="Close terminal" onConfirm={close} onClose={() => setAsking(false)}>
					This ends <code>{sanitiseLine(row.title)}</code> and everything that it started.
				</ConfirmDialog>
			) : null}
		</>
	);
}
