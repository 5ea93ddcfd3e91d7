// Whether Codex' terminal accepts a prompt, and which key answers a start-up dialog.
import type { ReadyState } from '../base/types.ts';
import { tomlList } from './config-args.ts';

/** Shows the state below the prompt, which is empty until Codex has started. */
export const STATUS_LINE = { 'tui.status_line': tomlList(['run-state', 'model-with-reasoning', 'current-dir']) };

/** Start-up dialogs with all their rows and the row that continues. */
const AT_THE_START: readonly { asks: RegExp; rows: readonly RegExp[]; wanted: number }[] = [
	{ asks: /\bTrust this folder\?/, rows: [/^Trust and continue\b/, /^Quit\b/], wanted: 0 },
	{ asks: /\buntrusted folders stay disabled\b/, rows: [/^Open restricted\b/, /^Quit\b/], wanted: 0 },
	{
		asks: /\bHooks need review\b/,
		rows: [/^Review hooks\b/, /^Trust all and continue\b/, /^Continue without trusting\b/],
		wanted: 2,
	},
	{ asks: /./, rows: [/^Try new model\b/, /^Use existing model\b/], wanted: 1 },
];
/** Marks the selected row of a dialog, the input line, and earlier input. Output is indented. */
const MARK = '›';
const ROW = /^(?:›| ) *(\d+)\. (\S.*?)\s*$/;
const STATUS = /^\s+(?:Ready · .*|[^·]+ · [~/][^·]*)$/;
const QUEUED = /\bWaiting for startup\b/;
const WORKING = /^\S .*\besc to interrupt\)/;
const NEAR = 4;
const LOADING: ReadyState = { phase: 'loading' };

/** Dialogs about the work are for people: no key is returned for them. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent.split('\n').filter((line) => line.trim() !== '');
	const at = lines.findLastIndex((line) => line.startsWith(MARK));
	if (ROW.test(lines[at] ?? '')) return answerDialog(lines, at);
	const below = lines.slice(at + 1).slice(-NEAR);
	const isWorking = lines.slice(Math.max(at - NEAR, 0), Math.max(at, 0)).some((line) => WORKING.test(line));
	const isReady = at >= 0 && !isWorking && below.some((line) => STATUS.test(line)) && !below.some((line) => QUEUED.test(line));
	return isReady ? { phase: 'ready' } : LOADING;
}

/** One key at a time. A call may look like a start-up dialog, but its approval rows are below and its prompt is above. */
function answerDialog(lines: readonly string[], at: number): ReadyState {
	const first = lines.slice(0, at + 1).findLastIndex((line) => ROW.exec(line)?.[1] === '1');
	const rows = lines.slice(Math.max(first, 0)).flatMap((line) => ROW.exec(line)?.[2] ?? []);
	const text = lines.slice(0, Math.max(first, 0)).join(' ').replace(/\s+/g, ' ');
	const known = AT_THE_START.find(
		(dialog) =>
			dialog.asks.test(text) && dialog.rows.length === rows.length && dialog.rows.every((row, n) => row.test(rows[n] ?? '')),
	);
	const isAlone = lines.filter((line) => line.startsWith(MARK)).length === 1;
	if (!known || !isAlone || first < 0) return LOADING;
	const chosen = at - first;
	return { phase: 'dialog', action: chosen === known.wanted ? 'Enter' : chosen < known.wanted ? 'Down' : 'Up' };
}
