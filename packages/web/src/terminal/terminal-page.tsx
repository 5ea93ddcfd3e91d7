// The page of one terminal: `/t/:id`.

import { sanitiseLine } from '@roost/core/display/sanitise';
import { terminalId } from '@roost/protocol/ids';
import { lazy } from 'react';
import { Link, useParams } from 'wouter';

/** With xterm, so it is loaded when a terminal is shown. */
export const TerminalView = lazy(async () => ({ default: (await import('./terminal-view.tsx')).TerminalView }));

export function TerminalPage() {
	const { id = '' } = useParams();
	const parsed = terminalId.safeParse(id);
	const back = <Link href="/t">Terminals</Link>;
	return parsed.success ? <TerminalView key={id} id={parsed.data} back={back} /> : <NoTerminal id={id} />;
}

function NoTerminal({ id }: { id: string }) {
	return (
		<section data-state="gone">
			<h1>Terminal not found</h1>
			<p>
				There is no terminal "{sanitiseLine(id)}". <Link href="/t">List terminals</Link>
			</p>
		</section>
	);
}
