// Whether Codex' terminal takes a prompt, and which key answers a dialog of its start: dialogs first, then work, then the prompt.
import type { ReadyState } from '../types.ts';

/** Dialogs that stand between a start and the first prompt, and the row of each that lets it go on. */
const AT_THE_START: readonly { asks: RegExp; wanted: RegExp }[] = [
	{ asks: /\bTrust this folder\?/, wanted: /^Trust and continue\b/ },
	{ asks: /\buntrusted folders stay disabled\b/, wanted: /^Open restricted\b/ },
	{ asks: /\bHooks need review\b/, wanted: /^Continue without trusting\b/ },
	{ asks: /\bTry new model\b/, wanted: /^Use existing model\b/ },
];
/** The same sign marks the chosen row of a dialog and the line that is typed into. */
const ROW = /^\s*(›)?\s*\d+\. (\S.*?)\s*$/;
const PROMPT = /^› (?!\d+\. )/;
const WORKING = /\besc to interrupt\b/;
const FOOTER_LINES = 6;

/**
 * A dialog about the work itself is for a person: nobody is ready, and no key is named for it.
 * While it writes an answer Codex shows the same screen as when it is done, so then it is taken for ready.
 */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent.split('\n').filter((line) => line.trim() !== '');
	const rows = lines.slice(-ROWS).flatMap((line) => ROW.exec(line)?.slice(1) ?? []);
	if (rows.length > 0) return answerDialog(lines);
	const bottom = lines.slice(-FOOTER_LINES);
	if (lines.some((line) => WORKING.test(line))) return { phase: 'loading' };
	return bottom.some((line) => PROMPT.test(line)) ? { phase: 'ready' } : { phase: 'loading' };
}

const ROWS = 8;

/** One key at a time: towards the wanted row, and Enter only once it is the chosen one. */
function answerDialog(lines: readonly string[]): ReadyState {
	const text = lines.join(' ').replace(/\s+/g, ' ');
	const known = AT_THE_START.find(({ asks }) => asks.test(text));
	const rows = lines.flatMap((line) => {
		const row = ROW.exec(line);
		return row ? [{ isChosen: row[1] !== undefined, isWanted: known?.wanted.test(row[2] ?? '') ?? false }] : [];
	});
	const chosen = rows.findIndex(({ isChosen }) => isChosen);
	const wanted = rows.findIndex(({ isWanted }) => isWanted);
	if (chosen < 0 || wanted < 0) return { phase: 'loading' };
	return { phase: 'dialog', action: chosen === wanted ? 'Enter' : chosen < wanted ? 'Down' : 'Up' };
}
