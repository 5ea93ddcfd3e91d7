// What Claude's screen says about what it is doing; the last resort, since nobody promised these words.
import type { AgentActivity } from '../../base/status-source.ts';

export type ScreenStatus = { status: AgentActivity | 'unknown'; waitingFor?: string };

const RULE = /^\s*[─▔╌]{20,}/;
const PROMPT = /^❯/;
const CHOICE = /^\s*❯ (\d+\. )?\S/;
const DIALOG_FOOTER = /\b(Esc to cancel|Enter to confirm|Enter to select)\b/;
/** Proceed, create, make this edit …; the question about a key is asked before there is anything to permit. */
const ASKS_PERMISSION = /^\s*Do you want to (?!use this API key)/;
const WORKING_FOOTER = /\besc to interrupt\b/;
const READY_FOOTER = /\? for shortcuts|\(shift\+tab to cycle\)|^\s*[⏸⏵]+ .+ on\b/;
/** The line above the prompt while it works: "✶ Considering… (1s · ↓ 14 tokens)". */
const SPINNER = /^\s*[^\w\s] \S.*… \(\d/;
const SPINNER_LINES = 6;

/**
 * Only the lowest lines count: everything above is the conversation, which can hold any words. A prompt stands between two
 * rules with its footer below; a dialog has a row that is chosen and no such prompt.
 */
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

/** The line of the rule above the prompt; undefined where the last thing framed by rules is no prompt. */
function findPrompt(lines: readonly string[]): number | undefined {
	const below = lines.findLastIndex(isRule);
	const above = lines.slice(0, Math.max(below, 0)).findLastIndex(isRule);
	const isPrompt = above >= 0 && PROMPT.test(lines[above + 1] ?? '') && below < lines.length - 1;
	return isPrompt ? above : undefined;
}

/** Some dialogs have no footer: the choice is the last thing on the screen. What a shell writes after Claude's end is not set in. */
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
