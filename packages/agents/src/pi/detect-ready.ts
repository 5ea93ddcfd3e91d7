// Pi's screen: start-up dialogs first, then work in progress, then readiness.
import type { ReadyState } from '../base/types.ts';

/** Around the editor and dialogs. While working, the upper one contains a spinner. */
const RULE = /^─{2}.*─{8}$/;
const SPINNER = /[\u2800-\u28ff]/;
/** The last line of every dialog. */
const HINT = /^(?:↑↓ navigate {2})?enter (?:select|submit) {2}escape\/ctrl\+c cancel$/;
/** Context usage: `0.0%/200k`, `?/1.0M`. */
const FOOTER = /(?:\d+\.\d%|\?)\/\d+(?:\.\d+)?[kM]?\b/;

/** The only start-up dialog. Escape declines; the first row would trust the repository permanently. */
const TRUST = 'Trust project folder?';
const REFUSE: ReadyState = { phase: 'dialog', action: 'Escape' };
const LOADING: ReadyState = { phase: 'loading' };

/** From below: above is the conversation, which may contain anything. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const lower = lines.findLastIndex((line) => RULE.test(line));
	if (lower < 1) return LOADING;
	const upper = lines.slice(0, lower).findLastIndex((line) => RULE.test(line));
	// Other dialogs come from extensions and are for people: no key is returned for them.
	if (HINT.test(lines[lower - 1] ?? '')) return lines[upper + 1] === TRUST && lower === lines.length - 1 ? REFUSE : LOADING;
	if (upper < 0 || !lines.slice(lower + 1).some((line) => FOOTER.test(line))) return LOADING;
	// Older versions show it in a separate line above.
	const isWorking = [lines[upper], lines[upper - 1]].some((line) => line !== undefined && SPINNER.test(line.slice(0, 8)));
	return isWorking ? LOADING : { phase: 'ready' };
}
