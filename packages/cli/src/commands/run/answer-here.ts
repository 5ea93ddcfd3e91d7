// Answers the requests of a run with keys in its terminal, one at a time. They can still be answered elsewhere.
import type { ApiClient } from '@roost/client/api-client';
import { fromEdited, toEditable } from '@roost/core/answers/edit-input';
import { LOOK_MS } from '@roost/core/answers/when-ready';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Always, coversCall, type KnownRules, rulesOf, startAlways, toAnswer } from '@roost/core/rules/always';
import { askOutcome } from '@roost/core/views/ask-words';
import type { ApproveBody } from '@roost/protocol/api/answers';
import type { AskRow } from '@roost/protocol/ask';
import { ok, type Result } from '@roost/protocol/result';
import type { RuleScope } from '@roost/protocol/rule';
import { clock } from '../../output/feed-line.ts';
import { askInput, shortened } from '../../tui/dialogs/ask-parts.ts';
import { createStyles } from '../../tui/screen/styles.ts';
import type { RunOutput } from './run-output.ts';
import type { TerminalKeys } from './terminal-keys.ts';

export type AnswerHere = Disposable & {
	/** False if requests cannot be answered here. */
	offer(ask: AskRow): boolean;
	/** The ask is no longer pending. */
	withdraw(ask: AskRow): void;
};

type Answer = Omit<ApproveBody, 'askId' | 'nonce'>;

type Shown = {
	ask: AskRow;
	since: number;
	step: { at: 'choose' | 'sent' } | { at: 'always'; always: Always } | { at: 'edit'; stop: AbortController };
};

export function createAnswerHere(deps: {
	keys: TerminalKeys;
	output: Pick<RunOutput, 'say' | 'print' | 'prompt' | 'hold'>;
	asks: Pick<ApiClient['asks'], 'approve'>;
	/** The rules in force, and the scope of the call. */
	known(ask: AskRow): Promise<Result<KnownRules>>;
	now: () => number;
	columns: () => number;
}): AnswerHere {
	const { keys, output, now } = deps;
	const waiting = new Map<AskRow['id'], AskRow>();
	let shown: Shown | undefined;

	function showNext(): void {
		const [ask] = waiting.values();
		output.prompt('');
		shown = undefined;
		if (ask) show(ask);
		else keys.release();
	}

	function show(ask: AskRow): void {
		output.say(`${ask.tool} waits for approval until ${clock(ask.expiresAt)} (request ${ask.id}).`);
		for (const line of inputLines(ask, deps.columns())) output.print(line);
		shown = { ask, since: now(), step: { at: 'choose' } };
		choose(shown);
	}

	function choose(current: Shown): void {
		current.step = { at: 'choose' };
		output.prompt(QUESTION);
		keys.listen(onKey);
	}

	/** Ignores keys pressed before the request could be read. */
	function onKey(key: string): void {
		if (!shown || now() - shown.since < LOOK_MS) return;
		if (shown.step.at === 'choose') onChoice(shown, key);
		else if (shown.step.at === 'always') onScope(shown, shown.step.always, key);
	}

	function onChoice(current: Shown, key: string): void {
		if (key === 'y') void send(current, { decision: 'allow' });
		else if (key === 'n') void send(current, { decision: 'deny' });
		else if (key === 'a') void offerRules(current);
		else if (key === 'e') void edit(current);
	}

	async function offerRules(current: Shown): Promise<void> {
		current.step = { at: 'sent' };
		output.prompt('');
		const known = await deps.known(current.ask);
		if (shown !== current) return;
		if (!known.ok) return refuse(current, known.error.message);
		const always = startAlways(current.ask, known.value);
		current.step = { at: 'always', always };
		const part = coversCall(always, current.ask) ? '' : ' (does not cover all of this call)';
		for (const { tool, argsPattern } of rulesOf(always, current.ask))
			output.say(`Always allow ${argsPattern === undefined ? tool : `${tool} ${argsPattern}`}${part}`);
		output.prompt(SCOPE_QUESTION);
	}

	function onScope(current: Shown, always: Always, key: string): void {
		const scope = SCOPES[key];
		const answer = scope && toAnswer({ ...always, scope }, current.ask);
		if (key === ESCAPE) choose(current);
		else if (answer?.ok) void send(current, answer.value);
		else if (answer) refuse(current, answer.error.message);
	}

	async function edit(current: Shown): Promise<void> {
		const text = toLine(current.ask);
		if (!text.ok) return refuse(current, text.error.message);
		const stop = new AbortController();
		current.step = { at: 'edit', stop };
		output.prompt('');
		using _held = output.hold();
		const line = await keys.readLine('Edit: ', text.value, stop.signal);
		if (shown !== current) return;
		if (line === undefined) return choose(current);
		const edited = fromLine(current.ask, line);
		if (!edited.ok) return refuse(current, edited.error.message);
		await send(current, { decision: 'allow', ...(line === text.value ? {} : { modifiedInput: edited.value }) });
	}

	function refuse(current: Shown, sentence: string): void {
		output.say(sentence);
		choose(current);
	}

	async function send(current: Shown, answer: Answer): Promise<void> {
		const { id: askId, nonce, sessionId } = current.ask;
		current.step = { at: 'sent' };
		output.prompt('');
		const sent = await deps.asks.approve({ id: sessionId, askId, nonce, ...answer });
		if (shown !== current) return;
		// Another answer was first: its outcome is reported with the ask.
		if (!sent.ok && !sent.winner) return refuse(current, sent.error.message);
		waiting.delete(askId);
		if (!sent.ok) output.say(sent.error.message);
		showNext();
	}

	return {
		offer(ask) {
			if (!keys.areOurs()) return false;
			waiting.set(ask.id, ask);
			if (!shown) showNext();
			return true;
		},
		withdraw(ask) {
			if (!waiting.delete(ask.id) || shown?.ask.id !== ask.id) return;
			const { step } = shown;
			if (step.at === 'edit') step.stop.abort();
			showNext();
			if (step.at !== 'sent') output.say(askOutcome(ask, shortened));
		},
		[Symbol.dispose]() {
			if (shown?.step.at === 'edit') shown.step.stop.abort();
			shown = undefined;
			output.prompt('');
			keys[Symbol.dispose]();
		},
	};
}

const QUESTION = 'Allow? [y]es, [n]o, [a]lways, [e]dit: ';
const SCOPE_QUESTION = 'Where? [s]ession, [p]roject, [u]ser, Esc to go back: ';
const SCOPES: Readonly<Record<string, RuleScope>> = { s: 'session', p: 'project', u: 'user' };
const ESCAPE = '\x1b';

const STYLES = createStyles({ theme: 'dark', colour: false, ascii: false });
/** The terminal UI shows longer inputs. */
const MOST_LINES = 200;

function inputLines(ask: AskRow, columns: number): string[] {
	const rows = askInput(ask, Math.max(20, columns - 3), STYLES);
	const lines = rows.take(0, MOST_LINES).map((row) => `  ${sanitiseLine(row.map(({ text }) => text).join(''))}`);
	return rows.count(MOST_LINES + 1) > MOST_LINES ? [...lines, '  … cut here: run "roost" to read all of it'] : lines;
}

function toLine(ask: AskRow): Result<string> {
	const text = toEditable(ask);
	if (!text.ok || !text.value.includes('\n')) return text;
	return ok(JSON.stringify(ask.input));
}

/** The whole input, or why the line is invalid. */
function fromLine(ask: AskRow, line: string): Result<Record<string, unknown>> {
	const text = toEditable(ask);
	const isJson = text.ok && text.value.includes('\n');
	return fromEdited(isJson ? { ...ask, tool: '' } : ask, line);
}
