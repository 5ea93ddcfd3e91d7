// Opens a shell in a folder of a project, and goes to it.
import type { OpenTerminal } from '@roost/protocol/api/terminals';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useConnected } from '../data/use-connected.ts';

/** `problem`: why it could not be opened. */
export function useOpenShell(): { open(where: OpenTerminal): void; problem: string; isOpening: boolean } {
	const { api } = useConnected();
	const [, go] = useLocation();
	const [problem, setProblem] = useState('');
	const [isOpening, setOpening] = useState(false);

	async function open(where: OpenTerminal): Promise<void> {
		setOpening(true);
		const opened = await api.terminals.open({ commandId: crypto.randomUUID(), ...where });
		setOpening(false);
		if (opened.ok) go(`/t/${opened.value.id}`);
		else setProblem(opened.error.message);
	}

	return { open: (where) => void open(where), problem, isOpening };
}
