// What opens over any page: the list of commands and the help. Each is loaded when it is opened.
import { lazy, Suspense, useState } from 'react';
import { useAction } from '../keys/use-action.ts';

const CommandList = lazy(async () => ({ default: (await import('./command-list.tsx')).CommandList }));
const Help = lazy(async () => ({ default: (await import('./help.tsx')).Help }));

export function Overlays() {
	const [open, setOpen] = useState<'commands' | 'help' | null>(null);
	useAction('commands', () => setOpen('commands'));
	useAction('help', () => setOpen('help'));
	const close = () => setOpen(null);
	return (
		<Suspense>
			{open === 'commands' ? <CommandList onClose={close} /> : null}
			{open === 'help' ? <Help onClose={close} /> : null}
		</Suspense>
	);
}
