// The library does what it is told to repeat once for each time, however often that is: a dozen bytes could keep the runner busy for hours.
import type { Terminal } from '@xterm/headless';

/** More than fills what they work on changes nothing any more: lines inserted, deleted and scrolled, tabs back, the last letter again. */
export function boundCounts(terminal: Terminal, core: Parsing, scrollbackLines: number): void {
	const lines = () => terminal.rows;
	const bounds = { L: lines, M: lines, S: lines, T: lines, Z: () => terminal.cols, b: cells };
	function cells(): number {
		return terminal.cols * (terminal.rows + scrollbackLines);
	}
	for (const [final, most] of Object.entries(bounds)) {
		core.registerCsiHandler({ final }, ({ params }) => {
			params[0] = Math.min(params[0] ?? 0, most());
			// Now the library does it.
			return false;
		});
	}
}

/** The public way gives a copy of the parameters. */
export type Parsing = {
	registerCsiHandler(id: { final: string }, handler: (params: { params: Int32Array }) => boolean): unknown;
};
