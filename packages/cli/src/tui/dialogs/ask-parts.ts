// What the dialogs of permissions and questions share: the head, the input, the outcome, and when a key counts.
import type { World } from '@roost/client/world/world';
import { readinessOf } from '@roost/core/answers/when-ready';
import { countdown } from '@roost/core/display/countdown';
import { toolName } from '@roost/core/display/tools/tool-name';
import { askOutcome } from '@roost/core/views/ask-words';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow, Risk } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { AskId } from '@roost/protocol/ids';
import type { Room, Step } from '../pane.ts';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { remembering } from '../parts/remembering.ts';
import { wrapped } from '../parts/wrapped.ts';
import { inputRows } from '../renderers/tools/input-rows.ts';
import { type Row, row, type Span, span, spread } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { cut } from '../screen/text.ts';

/** Below this height only the first line is shown. */
const ROOMY = 14;
const MOST_REASON_ROWS = 2;

export function askHead(ask: AskRow, world: World, { width, height, styles }: Room): Row[] {
	const glyph = ask.kind === 'question' ? styles.glyphs.question : styles.glyphs.ask;
	const title = [span(` ${glyph} `, RISKS[ask.risk]), ...titleSpans(ask)];
	const first = spread(title, [...placeSpans(ask, world), ...timeSpans(ask, world.now), span(' ')], width, styles);
	const state = stateRows(ask, world);
	if (height < ROOMY) return [first, ...state];
	const why = ask.kind === 'question' ? '' : `Asked because ${ask.reason}.`;
	const reason = createLazyRows(wrapped(why, width - 4, 'faint')).take(0, MOST_REASON_ROWS);
	return [first, row('   ', ...whoSpans(ask, world)), ...reason.map((line) => row('   ', ...line)), ...state];
}

export const RISKS: Record<Risk, Tone> = { low: 'good', medium: 'warn', high: 'bad' };

function titleSpans(ask: AskRow): Span[] {
	if (ask.kind === 'question') return [span('A question for you', 'strong')];
	return [span(toolName(ask.tool), 'strong'), span(`  ${ask.risk} risk`, RISKS[ask.risk])];
}

function placeSpans(ask: AskRow, { asks }: World): Span[] {
	const place = asks.findIndex(({ id }) => id === ask.id);
	return place >= 0 && asks.length > 1 ? [span(`${place + 1} of ${asks.length}`, 'accent'), span('  ')] : [];
}

const URGENT_MS = 60_000;

function timeSpans({ state, expiresAt }: AskRow, now: number): Span[] {
	if (state !== 'pending') return [];
	const left = expiresAt - now;
	return [left > 0 ? span(`${countdown(left)} left`, left < URGENT_MS ? 'bad' : 'faint') : span('expired', 'bad')];
}

function whoSpans(ask: AskRow, { open, sessions }: World): Span[] {
	const session = sessions.find(({ id }) => id === ask.sessionId);
	const view = open?.id === ask.sessionId ? open.view : undefined;
	const agent = session?.agent ?? 'the agent';
	const type = view?.actors.byId.get(ask.actorId)?.agentType;
	const subagent = ask.actorId.startsWith('subagent:') ? `subagent ${type ?? ask.actorId.slice('subagent:'.length)} of ` : '';
	const cwd = view?.summary.cwd ?? session?.projectPath;
	return [
		span(`${subagent}${agent}`, 'agent'),
		...(view ? [] : [span(' in session '), span(ask.sessionId, 'accent'), span(session ? ` "${session.title}"` : '')]),
		...(cwd === undefined ? [] : [span(` in ${cwd}`)]),
	];
}

function stateRows(ask: AskRow, { answered }: World): Row[] {
	if (ask.state !== 'pending') return [row(span(`   ${askOutcome(ask, shortened)} Press Esc to continue.`, 'warn'))];
	return answered.has(ask.id) ? [row(span('   Your answer was sent.', 'accent'))] : [];
}

/** The input in full: rows are made as far as they are shown, so that a huge input costs a frame nothing. */
export const askInput = remembering(
	(ask: AskDetail, width: number, styles: Styles): LazyRows =>
		createLazyRows(inputRows({ tool: ask.tool, input: ask.input, file: ask.file }, width, styles)),
);

const SUBJECT_LENGTH = 60;

/** The subject of a request, in a sentence. */
export function shortened(subject: string): string {
	const short = cut(subject, SUBJECT_LENGTH);
	return short === subject ? subject : `${short}...`;
}

export type OnScreen = { readonly ask: AskId | undefined; readonly since: number };

/** Also a decided ask: the dialog may still be open. */
export function askOnScreen({ ask }: OnScreen, { asks, decided }: World): AskRow | undefined {
	return ask === undefined ? undefined : (asks.find(({ id }) => id === ask) ?? decided.get(ask));
}

/** Decides, unless the dialog has just appeared, was decided, or an answer is on its way. */
export function whenReady<State extends OnScreen>(state: State, world: World, decide: (ask: AskRow) => Step<State>): Step<State> {
	const ask = askOnScreen(state, world);
	if (!ask) return { state, go: 'back' };
	const readiness = readinessOf(ask, { isSent: world.answered.has(ask.id), since: state.since, now: world.now });
	switch (readiness) {
		case 'ready':
			return decide(ask);
		case 'decided':
			return { state, go: 'back' };
		case 'sent':
			return refuse(state, 'Your answer was already sent.');
		case 'early':
			return refuse(state, 'This has just appeared: read it, then press the key again.');
		default:
			return assertNever(readiness);
	}
}

function refuse<State>(state: State, sentence: string): Step<State> {
	return { state, wishes: [{ type: 'say', sentence }] };
}
