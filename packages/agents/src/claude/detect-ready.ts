// Whether Claude's terminal takes a prompt, and which key answers a dialog of its start. Nothing is chosen that was not read on the screen.
import type { ReadyState } from '../types.ts';
import { statusOfScreen } from './status/status-of-screen.ts';

/** Dialogs that stand between a start and the first prompt, and the row of each that lets it go on. */
const AT_THE_START: readonly { asks: RegExp; wanted: RegExp }[] = [
	{ asks: /\bIs this a project you created or one you trust\?/, wanted: /^Yes, I trust this folder\b/ },
	{ asks: /\bDo you want to use this API key\?/, wanted: /^Yes\b/ },
	{ asks: /\brunning in Bypass Permissions mode\b/, wanted: /^Yes, I accept\b/ },
	{ asks: /\bChoose the text style that looks best\b/, wanted: /./ },
];
const RULE = /^\s*[─▔]{20,}/;
const ROW = /^\s*(❯ )?\s*(?:\d+\. )?(\S.*?)\s*$/;

/**
 * The default row of such a dialog refuses, so one key at a time: towards the wanted row, and Enter only once it is the chosen one.
 * A dialog about the work itself is for a person: nobody is ready, and no key is named for it.
 */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent.split('\n');
	const { status } = statusOfScreen(lines);
	if (status === 'idle') return { phase: 'ready' };
	const action = status === 'waiting' ? keyFor(lines) : undefined;
	return action === undefined ? { phase: 'loading' } : { phase: 'dialog', action };
}

function keyFor(lines: readonly string[]): 'Enter' | 'Up' | 'Down' | undefined {
	const dialog = lines.slice(lines.findLastIndex((line) => RULE.test(line)) + 1);
	const text = dialog.join(' ').replace(/\s+/g, ' ');
	const known = AT_THE_START.find(({ asks }) => asks.test(text));
	const chosen = dialog.findIndex((line) => line.trimStart().startsWith('❯ '));
	if (!known || chosen < 0) return undefined;
	if (known.wanted.test(rowText(dialog[chosen]))) return 'Enter';
	const wanted = dialog.findLastIndex((line) => known.wanted.test(rowText(line)));
	if (wanted < 0) return undefined;
	return wanted > chosen ? 'Down' : 'Up';
}

function rowText(line = ''): string {
	return ROW.exec(line)?.[2] ?? '';
}
