// What a program said last, for when it failed: the screen it said it on is given back by then.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { loadHeadlessTerminal } from '../runner/open-runner.ts';

export type LastWords = {
	/** Everything before is drawn anew. */
	snapshot(bytes: Uint8Array, size: { cols: number; rows: number }): void;
	bytes(bytes: Uint8Array): void;
	/** The last lines that are not empty, safe to show. */
	read(): Promise<string[]>;
};

const MOST_LINES = 10;
/** More than a screen is drawn with. */
const MOST_BYTES = 256 * 1024;

export function createLastWords(): LastWords {
	let kept: Uint8Array[] = [];
	let total = 0;
	let size = { cols: 80, rows: 24 };

	function keep(bytes: Uint8Array): void {
		kept.push(bytes);
		total += bytes.length;
		while (total > MOST_BYTES && kept.length > 1) total -= kept.shift()?.length ?? 0;
	}

	return {
		snapshot(bytes, drawnAt) {
			kept = [];
			total = 0;
			size = drawnAt;
			keep(bytes);
		},
		bytes: keep,
		async read() {
			const { createHeadlessTerminal } = await loadHeadlessTerminal();
			using terminal = createHeadlessTerminal(size, { scrollbackLines: 0, onReply: () => {} });
			if (!terminal.read(Buffer.concat(kept))) return [];
			const said = terminal.lines().map((line) => line.trimEnd());
			return said
				.filter((line) => line !== '')
				.slice(-MOST_LINES)
				.map(sanitiseLine);
		},
	};
}
