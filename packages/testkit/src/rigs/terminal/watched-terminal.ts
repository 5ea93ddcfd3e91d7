// What somebody would see who looks at a terminal process, and whether it has ended.
import type { TerminalEnd, TerminalProcess } from '@roost/machine/terminal-process';
import { waitFor } from '../wait-for.ts';
import { createVirtualTerminal, type VirtualTerminal } from './virtual-terminal.ts';

export type WatchedTerminal = {
	readonly terminal: VirtualTerminal;
	text(): Promise<string>;
	waitForText(fits: RegExp): Promise<string>;
	ended(): Promise<TerminalEnd>;
};

const SOON = 20_000;

export function watchTerminal(process: TerminalProcess, { cols = 80, rows = 24 } = {}): WatchedTerminal {
	const terminal = createVirtualTerminal({ columns: cols, rows });
	const decoder = new TextDecoder();
	let end: TerminalEnd | undefined;
	process.onBytes((bytes) => terminal.write(decoder.decode(bytes, { stream: true })));
	process.onExit((told) => {
		end = told;
	});
	const text = async () => {
		await terminal.settled();
		return terminal.text();
	};
	return {
		terminal,
		text,
		waitForText: (fits) =>
			waitFor(
				async () => {
					const now = await text();
					return fits.test(now) ? now : undefined;
				},
				{ deadlineMs: SOON, what: `a screen that fits ${fits}`, seen: text },
			),
		ended: () => waitFor(() => end, { deadlineMs: SOON, what: 'the program to end', seen: text }),
	};
}
