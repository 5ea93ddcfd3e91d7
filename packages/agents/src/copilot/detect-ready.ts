// What Copilot's screen says: a dialog first, then whether it works, then whether it waits for words.
import type { ReadyState } from '../types.ts';

/** The first row of each is a plain yes, for this once. */
const DIALOG = /Do you trust the files in this folder\?|Do you want to .+\?|Confirm folder trust/;
const CHOICE = /^[\s│]*❯\s*1\. Yes\b/m;
/** At work its footer says how to stop it; on a narrow screen everything else is cut first. */
const WORKING = /\besc interrupt\b/;
const FOOTER = /\/ commands\b/;
const EMPTY_LINE = /^[\s│]*❯\s*$/m;

export function detectReady(paneContent: string): ReadyState {
	if (CHOICE.test(paneContent)) return { phase: 'dialog', action: 'Enter' };
	if (DIALOG.test(paneContent) || WORKING.test(paneContent)) return { phase: 'loading' };
	return FOOTER.test(paneContent) && EMPTY_LINE.test(paneContent) ? { phase: 'ready' } : { phase: 'loading' };
}
