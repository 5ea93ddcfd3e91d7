// Whether Claude's terminal accepts a prompt, and which key answers a start-up dialog.
import type { ReadyState } from '../base/types.ts';
import { statusOfScreen } from './status/claude-status.ts';

/** Start-up dialogs with all their rows and the row that continues. */
const AT_THE_START: readonly { asks: RegExp; rows: readonly RegExp[]; wanted: number }[] = [
	{
		asks: /\bIs this a project you created or one you trust\?/,
		rows: [/^No, exit$/, /^Yes, I trust this folder$/],
		wanted: 1,
	},
	{ asks: /\bDo you want to use this API key\?/, rows: [/^Yes$/, /^No \(recommended\)$/], wanted: 0 },
	{ asks: /\brunning in Bypass Permissions mode\b/, rows: [/^No, exit$/, /^Yes, I accept$/], wanted: 1 },
];
const ASKS_STYLE = /\bChoose the text style that looks best\b/;
const STYLE = /^(?:Auto \(match terminal\)|(?:Dark|Light) mode\b.*)$/;
const RULE = /^\s*[─▔]{20,}/;
const ROW = /^\s*(❯ )?\s*(?:\d+\. )?(\S.*?)\s*$/;
const FOOTER = /^\s*Enter to confirm\b/;

/** The default row refuses, so one key at a time: towards the wanted row, then Enter. Dialogs about the work are for people. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent.split('\n').filter((line) => line.trim() !== '');
	const { status, waitingFor } = statusOfScreen(lines);
	if (status === 'idle') return { phase: 'ready' };
	const action = status === 'waiting' && waitingFor !== 'permission prompt' ? keyFor(lines) : undefined;
	return action === undefined ? { phase: 'loading' } : { phase: 'dialog', action };
}

/** Only the lowest rows count: what a call displays stands above them. */
function keyFor(lines: readonly string[]): 'Enter' | 'Up' | 'Down' | undefined {
	const dialog = lines.slice(lines.findLastIndex((line) => RULE.test(line)) + 1);
	const text = dialog.join(' ').replace(/\s+/g, ' ');
	const lowest = dialog.findLast(isChosen);
	if (lowest !== undefined && ASKS_STYLE.test(text)) return STYLE.test(rowText(lowest)) ? 'Enter' : undefined;
	if (!FOOTER.test(dialog.at(-1) ?? '')) return undefined;
	for (const { asks, rows, wanted } of AT_THE_START) {
		const shown = dialog.slice(-1 - rows.length, -1);
		const chosen = shown.findIndex(isChosen);
		if (chosen < 0 || !asks.test(text) || !rows.every((row, at) => row.test(rowText(shown[at])))) continue;
		return chosen === wanted ? 'Enter' : chosen < wanted ? 'Down' : 'Up';
	}
	return undefined;
}

function isChosen(line: string): boolean {
	return line.trimStart().startsWith('❯ ');
}

function rowText(line = ''): string {
	return ROW.exec(line)?.[2] ?? '';
}
