// Text of a program as it comes: told line by line, kept whole up to a bound.

export type LineReader = {
	take(text: string): void;
	/** All of it; what is past the bound is said to be missing. */
	end(): string;
};

const MOST_KEPT = 1_000_000;
const LONGEST_LINE = 4_000;

export function createLineReader(onLine: (line: string) => void = () => {}): LineReader {
	let kept = '';
	let cut = false;
	let line = '';

	function finishLine(): void {
		if (line.trim() !== '') onLine(line.trimEnd());
		line = '';
	}
	return {
		take(text) {
			const room = MOST_KEPT - kept.length;
			kept += text.slice(0, room);
			cut ||= text.length > room;
			for (const [at, part] of text.split(/[\r\n]/).entries()) {
				if (at > 0) finishLine();
				line = (line + part).slice(0, LONGEST_LINE);
			}
		},
		end() {
			finishLine();
			return cut ? `${kept}\n[the rest is left out]` : kept;
		},
	};
}
