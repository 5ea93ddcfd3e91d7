// What stands on top of every dialog: what is asked and how risky it is, who asks, where and why, how many wait, how long there is.

import type { World } from '@roost/client/world/world';
import { toolName } from '@roost/core/display/tools/tool-name';
import type { AskRow, Risk } from '@roost/protocol/ask';
import type { Room } from '../pane.ts';
import { createLazyRows } from '../parts/lazy-rows.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, type Span, span, spread } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import { outcomeOf } from './outcome.ts';

/** Below this there is room for the first line only. */
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

const RISKS: Record<Risk, Tone> = { low: 'good', medium: 'warn', high: 'bad' };

function titleSpans(ask: AskRow): Span[] {
	if (ask.kind === 'question') return [span('A question for you', 'strong')];
	return [span(toolName(ask.tool), 'strong'), span(`  ${ask.risk} risk`, RISKS[ask.risk])];
}

function placeSpans(ask: AskRow, { asks }: World): Span[] {
	const place = asks.findIndex(({ id }) => id === ask.id);
	return place >= 0 && asks.length > 1 ? [span(`${place + 1} of ${asks.length}`, 'accent'), span('  ')] : [];
}

/** A minute before the end it gets urgent. */
const URGENT_MS = 60_000;

function timeSpans({ state, expiresAt }: AskRow, now: number): Span[] {
	if (state !== 'pending') return [];
	const left = expiresAt - now;
	return [left > 0 ? span(`${countdown(left)} left`, left < URGENT_MS ? 'bad' : 'faint') : span('time is up', 'bad')];
}

function countdown(ms: number): string {
	const seconds = Math.ceil(ms / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
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

/** That it is out of our hands, or over. */
function stateRows(ask: AskRow, { answered }: World): Row[] {
	if (ask.state !== 'pending') return [row(span(`   ${outcomeOf(ask)} Press Esc to continue.`, 'warn'))];
	return answered.has(ask.id) ? [row(span('   Your answer is on its way.', 'accent'))] : [];
}
