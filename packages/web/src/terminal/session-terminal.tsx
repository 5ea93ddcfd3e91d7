// The terminal of a session: `/s/:id/terminal`. Without one, it offers a shell in the folder of the session.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { NotRead } from '../parts/reading.tsx';
import { SessionFrame } from '../session/session-frame.tsx';
import { TerminalView } from './terminal-page.tsx';
import styles from './terminals.module.css';
import { useOpenShell } from './use-open-shell.ts';

export function SessionTerminal() {
	return <SessionFrame isOfMachine>{(row) => <OwnTerminal session={row} />}</SessionFrame>;
}

function OwnTerminal({ session }: { session: SessionTile }) {
	const { api } = useConnected();
	// Read again when it was moved into a terminal, here or elsewhere.
	const place = `${session.id} ${session.drive?.mode ?? ''}`;
	const { value: rows, problem, again } = useRead(`terminals of ${place}`, () => api.terminals.list());
	if (rows === undefined) return <NotRead problem={problem} again={again} />;
	const row = findTerminal(rows, session.id);
	return row ? <TerminalView key={row.id} id={row.id} /> : <NoTerminal session={session} />;
}

/** The running one, else the last. */
function findTerminal(rows: readonly TerminalRow[], id: SessionId): TerminalRow | undefined {
	const own = rows.filter(({ sessionId }) => sessionId === id);
	return own.find(({ state }) => state === 'running') ?? own.toSorted((a, b) => b.openedAt - a.openedAt)[0];
}

function NoTerminal({ session }: { session: SessionTile }) {
	const shell = useOpenShell();
	const folder = session.drive?.cwd ?? session.projectPath;
	return (
		<section className={styles.none} aria-labelledby="no-terminal">
			<h2 id="no-terminal">No terminal</h2>
			<p>This session does not run in a terminal.</p>
			<p>
				<code>{sanitiseLine(folder)}</code>
			</p>
			<button type="button" disabled={shell.isOpening} onClick={() => shell.open({ projectId: session.projectId, cwd: folder })}>
				Open a shell in this folder
			</button>
			{shell.problem === '' ? null : <p role="alert">{sanitiseLine(shell.problem)}</p>}
		</section>
	);
}
