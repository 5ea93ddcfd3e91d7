// Claude's status from its screen: the last resort, because the text may change with any version.
import type { AgentActivity } from '../../base/status-source.ts';

export type ScreenStatus = { status: AgentActivity | 'unknown'; waitingFor?: string };

const RULE = /^\s*[─▔╌]{20,}/;
const PROMPT = /^❯/;
const CHOICE = /^\s*❯ (\d+\. )?\S/;
const DIALOG_FOOTER = /\b(Esc to cancel|Enter to confirm|Enter to select)\b/;
/** Proceed, create, make this edit …; not the question about an API key at start-up. */
const ASKS_PERMISSION = /^\s*Do you want to (?!use this API key)/;
const WORKING_FOOTER = /\besc to interrupt\b/;
const READY_FOOTER = /\? for shortcuts|\(shift\+tab to cycle\)|^\s*[⏸⏵]+ .+ on\b/;
/** "✶ Considering… (1s · ↓ 14 tokens)" */
const SPINNER = /^\s*[^\w\s] \S.*… \(\d/;
const SPINNER_LINES = 6;

/** Only the lowest lines count: above is the conversation. A prompt stands between two rules with a footer; a dialog has a selected row. */
export function statusOfScreen(screen: readonly string[]): ScreenStatus {
	const lines = screen.map((line) => line.trimEnd()).filter((line) => line !== '');
	const footer = lines.at(-1) ?? '';
	if (DIALOG_FOOTER.test(footer)) return statusOfDialog(lines);
	const prompt = findPrompt(lines);
	if (prompt === undefined) return hasChoiceBelowRule(lines) ? statusOfDialog(lines) : { status: 'unknown' };
	const isWorking = WORKING_FOOTER.test(footer) || lines.slice(Math.max(prompt - SPINNER_LINES, 0), prompt).some(isSpinner);
	if (isWorking) return { status: 'busy' };
	return READY_FOOTER.test(footer) ? { status: 'idle' } : { status: 'unknown' };
}

function statusOfDialog(lines: readonly string[]): ScreenStatus {
	const isPermission = lines.slice(lines.findLastIndex(isRule)).some((line) => ASKS_PERMISSION.test(line));
	return { status: 'waiting', waitingFor: isPermission ? 'permission prompt' : 'input needed' };
}

/** Index of the rule above the prompt; undefined without a prompt. */
function findPrompt(lines: readonly string[]): number | undefined {
	const below = lines.findLastIndex(isRule);
	const above = lines.slice(0, Math.max(below, 0)).findLastIndex(isRule);
	const isPrompt = above >= 0 && PROMPT.test(lines[above + 1] ?? '') && below < lines.length - 1;
	return isPrompt ? above : undefined;
}

/** Some dialogs have no footer. Shell output after Claude's end is not indented. */
function hasChoiceBelowRule(lines: readonly string[]): boolean {
	const rule = lines.findLastIndex(isRule);
	return rule >= 0 && /^\s/.test(lines.at(-1) ?? '') && lines.slice(rule).some((line) => CHOICE.test(line));
}

function isRule(line: string): boolean {
	return RULE.test(line);
}

function isSpinner(line: string): boolean {
	return SPINNER.test(line);
}
