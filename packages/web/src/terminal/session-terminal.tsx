// The terminal of a session: `/s/:id/terminal`. Without one, it offers a shell in the folder of the session.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { sessionId as parseSessionId, type SessionId } from '@roost/protocol/ids';
import { Link, useParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { NotRead } from '../parts/reading.tsx';
import { TerminalView } from './terminal-page.tsx';
import styles from './terminals.module.css';
import { useOpenShell } from './use-open-shell.ts';

export function SessionTerminal() {
	const { id: given = '' } = useParams();
	const id = parseSessionId.parse(given);
	const { api } = useConnected();
	const { value: rows, problem, again } = useRead(`terminals of ${id}`, () => api.terminals.list());
	if (rows === undefined) return <NotRead problem={problem} again={again} />;
	const row = findTerminal(rows, id);
	const back = <Link href={`/s/${id}`}>Session</Link>;
	return row ? <TerminalView key={row.id} id={row.id} back={back} /> : <NoTerminal id={id} />;
}

/** The running one, else the last. */
function findTerminal(rows: readonly TerminalRow[], id: SessionId): TerminalRow | undefined {
	const own = rows.filter(({ sessionId }) => sessionId === id);
	return own.find(({ state }) => state === 'running') ?? own.toSorted((a, b) => b.openedAt - a.openedAt)[0];
}

function NoTerminal({ id }: { id: SessionId }) {
	const { api } = useConnected();
	const { value: session, problem, again } = useRead(`session ${id}`, () => api.record.session({ id }));
	const shell = useOpenShell();
	if (session === undefined) return <NotRead problem={problem} again={again} />;
	const folder = session.drive?.cwd ?? session.projectPath;
	return (
		<section className={styles.none} aria-labelledby="no-terminal">
			<h1 id="no-terminal">No terminal</h1>
			<p>This session does not run in a terminal.</p>
			<p>
				<code>{sanitiseLine(folder)}</code>
			</p>
			<button type="button" disabled={shell.isOpening} onClick={() => shell.open({ projectId: session.projectId, cwd: folder })}>
				Open a shell in this folder
			</button>
			{shell.problem === '' ? null : <p role="alert">{sanitiseLine(shell.problem)}</p>}
			<Link href={`/s/${id}`}>Back to the session</Link>
		</section>
	);
}
