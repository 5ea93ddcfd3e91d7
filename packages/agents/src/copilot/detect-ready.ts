// What Copilot's screen says: a dialog of its start first, then whether it works, then whether it waits for words.
import type { ReadyState } from '../base/types.ts';

/** About the folder, for this once. Of a call the second row says otherwise, and what the call shows of itself stands above. */
const TRUST = /Do you trust the files in this folder\?$/;
const ROWS = [/^❯ 1\. Yes$/, /^2\. Yes, and remember this folder\b/, /^3\. No \(Esc\)$/];
const HINT = /\besc to cancel$/;
/** The frame around a dialog. */
const FRAME = /^[│╭╮╰╯─\s]+|[│╭╮╰╯─\s]+$/g;
/** Above and below the line for words. */
const RULE = /^─{20,}$/;
const FOOTER = /\/ commands\b/;
/** At work the footer says how to stop it; on a narrow screen everything else is cut first. */
const WORKING = /\besc interrupt\b/;

/** Read from below: what stands above is what was said and asked before, and may look like anything. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	if (asksForTrust(lines)) return { phase: 'dialog', action: 'Enter' };
	// A dialog about the work itself is for a person: it is in the place of this line, and no key is named for it.
	const below = lines.findLastIndex((line) => RULE.test(line));
	const isWaiting = lines[below - 1] === '❯' && RULE.test(lines[below - 2] ?? '');
	const footer = lines.slice(below + 1).join(' ');
	return isWaiting && FOOTER.test(footer) && !WORKING.test(footer) ? { phase: 'ready' } : { phase: 'loading' };
}

function asksForTrust(lines: readonly string[]): boolean {
	const said = lines.map((line) => line.replaceAll(FRAME, '')).filter((line) => line !== '');
	const wanted = [TRUST, ...ROWS, HINT];
	const lowest = said.slice(-wanted.length);
	return lowest.length === wanted.length && wanted.every((sign, at) => sign.test(lowest[at] ?? ''));
}
