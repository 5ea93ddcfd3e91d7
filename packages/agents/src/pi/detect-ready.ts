// What the screen of Pi's terminal says: a dialog of its start first, then whether it works, then whether it takes a prompt.
import type { ReadyState } from '../base/types.ts';

/** Around its editor and its dialogs. While it works, a spinner and a word stand in the upper one. */
const RULE = /^─{2}.*─{8}$/;
const SPINNER = /[\u2800-\u28ff]/;
/** The last line of every dialog. */
const HINT = /^(?:↑↓ navigate {2})?enter (?:select|submit) {2}escape\/ctrl\+c cancel$/;
/** How full the context is: `0.0%/200k`, `?/1.0M`. */
const FOOTER = /(?:\d+\.\d%|\?)\/\d+(?:\.\d+)?[kM]?\b/;

/** The only one at a start. Escape answers it with no; its first row would trust the repository for good. */
const TRUST = 'Trust project folder?';
const REFUSE: ReadyState = { phase: 'dialog', action: 'Escape' };
const LOADING: ReadyState = { phase: 'loading' };

/** Read from below: what stands above is what was said, and may look like anything. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const lower = lines.findLastIndex((line) => RULE.test(line));
	if (lower < 1) return LOADING;
	const upper = lines.slice(0, lower).findLastIndex((line) => RULE.test(line));
	// Any other is asked by an extension about the work, and is for a person: no key is named for it.
	if (HINT.test(lines[lower - 1] ?? '')) return lines[upper + 1] === TRUST && lower === lines.length - 1 ? REFUSE : LOADING;
	if (upper < 0 || !lines.slice(lower + 1).some((line) => FOOTER.test(line))) return LOADING;
	// Older ones show it in a line of its own, above.
	const isWorking = [lines[upper], lines[upper - 1]].some((line) => line !== undefined && SPINNER.test(line.slice(0, 8)));
	return isWorking ? LOADING : { phase: 'ready' };
}
