// Copilot's screen: start-up dialogs first, then work in progress, then readiness.
import type { ReadyState } from '../base/types.ts';

/** About the folder, for one time. The dialog of a call has another second row. */
const TRUST = /Do you trust the files in this folder\?$/;
const ROWS = [/^❯ 1\. Yes$/, /^2\. Yes, and remember this folder\b/, /^3\. No \(Esc\)$/];
const HINT = /\besc to cancel$/;
const FRAME = /^[│╭╮╰╯─\s]+|[│╭╮╰╯─\s]+$/g;
/** Above and below the input line. */
const RULE = /^─{20,}$/;
const FOOTER = /\/ commands\b/;
/** While working the footer shows how to stop; on a narrow screen the rest is cut first. */
const WORKING = /\besc interrupt\b/;

/** From below: above is the conversation, which may contain anything. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	if (asksForTrust(lines)) return { phase: 'dialog', action: 'Enter' };
	// A dialog about the work replaces this line and is for people: no key is returned for it.
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
