// The actors of the session: a tree of agents with their state and counts.
import type { OpenSession } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { plural } from '@roost/core/display/plural';
import { actorName } from '@roost/core/views/actor-names';
import { type ActorNode, type ActorView, toActorTree } from '@roost/core/views/actors';
import type { ActorId } from '@roost/protocol/ids';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, stay } from '../pane.ts';
import { drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { type Row, row, type Span, span, spread } from '../screen/row.ts';
import type { Glyphs, Styles, Tone } from '../screen/styles.ts';

export type ActorsState = ListState;

export const actorsPane: Pane<ActorsState> = {
	title: 'Actors',
	keys: [...MOVING, { keys: ['esc'], action: 'back', help: 'back to the feed', hint: true }],
	start: () => LIST_START,
	act(state, action, { open }, room) {
		if (action === 'back') return { state, go: 'back' };
		return stay(moveInList(state, action, open?.view.actors.byId.size ?? 0, room.height));
	},
	draw(state, { open, now }, room) {
		if (!open) return { rows: [row(span('No session is open.', 'faint'))] };
		const waiting = new Set(Array.from(open.view.asks.byId.values(), ({ actorId }) => actorId));
		const lines = linesOf(toActorTree(open.view.actors), room.styles);
		return { rows: drawList(state, lines, room.height, (line) => actorRow(line, { open, now, waiting }, room)) };
	},
};

type Line = { readonly actor: ActorView; readonly stem: string };

function linesOf(tops: readonly ActorNode[], styles: Styles): Line[] {
	return tops.flatMap(({ actor, children }) => [{ actor, stem: '' }, ...branches(children, '', styles)]);
}

const DEEPEST = 8;

function branches(nodes: readonly ActorNode[], margin: string, styles: Styles): Line[] {
	return nodes.flatMap(({ actor, children }, index) => {
		const last = index === nodes.length - 1;
		const below = margin.length < DEEPEST ? `${margin}${last ? '  ' : `${styles.glyphs.vertical} `}` : margin;
		const stem = `${margin}${last ? styles.glyphs.lastBranch : styles.glyphs.branch}`;
		return [{ actor, stem }, ...branches(children, below, styles)];
	});
}

type Facts = { open: OpenSession; now: number; waiting: ReadonlySet<ActorId> };

const WIDE = 56;
const NARROW = 30;

function actorRow({ actor, stem }: Line, { open, now, waiting }: Facts, { width, styles }: Room): Row {
	const { glyph, tone, words } = stateOf(actor, waiting.has(actor.actorId));
	const name = actor.kind === 'user' ? 'you' : actorName(actor.actorId, open.view.actors);
	const left = [
		span(stem, 'faint'),
		span(`${styles.glyphs[glyph]} `, tone),
		span(name, actor.kind === 'subagent' ? undefined : 'strong'),
	];
	if (actor.kind === 'user') return left;
	const since = actor.running ? actor.startedAt : actor.stoppedAt;
	const when = since === undefined ? '' : `  ${age(since, now)}`;
	const right = [...countSpans(actor, width, styles), span(width >= WIDE ? `  ${words}${when}` : when, 'faint'), span(' ')];
	return spread(left, right, width, styles);
}

function countSpans({ toolCalls, toolFailures }: ActorView, width: number, { glyphs }: Styles): Span[] {
	const words = width < NARROW ? ` ${glyphs.failed}${toolFailures}` : `  ${toolFailures} failed`;
	const failed = toolFailures > 0 ? [span(words, 'bad')] : [];
	return [span(width < WIDE ? String(toolCalls) : plural(toolCalls, 'call'), 'faint'), ...failed];
}

type State = { glyph: keyof Glyphs; tone?: Tone; words: string };

function stateOf({ kind, running, stoppedAt }: ActorView, waits: boolean): State {
	if (kind === 'user') return { glyph: 'prompt', tone: 'person', words: '' };
	if (waits) return { glyph: 'waiting', tone: 'warn', words: 'waiting for you' };
	if (running) return { glyph: 'working', tone: 'good', words: 'working' };
	return { glyph: 'idle', tone: 'faint', words: kind === 'subagent' && stoppedAt !== undefined ? 'done' : 'idle' };
}
