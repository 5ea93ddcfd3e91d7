// The two header lines: project, session, state, usage, pending requests and connection.
import { basename } from 'node:path';
import { shownRunner } from '@roost/client/world/watch-runners';
import type { OpenSession, World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { money, short } from '@roost/core/display/amounts';
import { continuedBy } from '@roost/core/views/continued';
import { toOwnDialog } from '@roost/core/views/own-dialogs';
import type { SessionView } from '@roost/core/views/session-view';
import { agentAndModel, continuedId, lastRunWords, runWords, statusWords } from '@roost/core/views/words';
import type { Drive } from '@roost/protocol/session-row';
import { fitRow, type Row, row, rowWidth, type Span, span, spread } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { RUN_STATES } from './run-states.ts';
import { atOthers, presenceWords } from './runners.ts';

export function headerRows(world: World, width: number, styles: Styles): Row[] {
	const { open } = world;
	const place = world.runners ? (shownRunner(world)?.name ?? '') : basename(world.project.path);
	const project = fitRow(row(span(place, 'strong')), Math.floor(width / 3), styles);
	// A connection problem gets more room than the title.
	const room = world.connection.state === 'live' ? width / 2 : (width * 2) / 3;
	const connection = fitRow(connectionSpans(world), Math.floor(room), styles);
	const top = spread([span(' roost ', 'title'), ...project, ...sessionSpans(open)], connection, width, styles);
	return [top, open ? stateRow(open, world, width, styles) : spread([], askSpans(world), width, styles)];
}

/** The title comes last, so it is cut first. */
function sessionSpans(open: OpenSession | null): Row {
	if (!open) return [];
	const { row: known, view } = open;
	const who = agentAndModel(known?.agent ?? open.past?.agent ?? '', view.summary.model ?? known?.model ?? '');
	const isEnforced = (view.gate ?? known?.gate) === 'enforce';
	const how = drivingWords(view.drive ?? known?.drive) || (isEnforced ? 'enforced' : '');
	const from = known && continuedBy(known);
	return row(
		span('  '),
		span(open.past ? open.id.slice(0, 8) : open.id, 'accent'),
		span(who && `  ${who}`, 'faint'),
		span(how && `  ${how}`, 'faint'),
		span(from ? `  from ${continuedId(from)}` : '', 'faint'),
		`  ${view.summary.title || known?.title || open.past?.title || ''}`,
	);
}

/** Empty for observed sessions; defaults are not mentioned. */
function drivingWords(drive: Drive | undefined): string {
	if (!drive) return '';
	const { mode, permission_mode: permission = 'default' } = drive;
	return [mode === 'pty' ? 'in a terminal' : 'driven', permission === 'default' ? '' : permission].filter(Boolean).join(', ');
}

/** Pending requests are always shown; usage only if there is room. */
function stateRow(open: OpenSession, world: World, width: number, styles: Styles): Row {
	const state = [
		...(isAway(world) ? lastStateSpans(open, styles) : stateSpans(open, world.now, styles)),
		...agentSpans(open, world),
		...troubleSpans(open, world.now),
	];
	const asks = askSpans(world);
	const usage = usageSpans(open.view);
	const right = rowWidth([...state, ...usage, ...asks]) < width ? [...usage, ...asks] : asks;
	return spread(state, right, width, styles);
}

/** The duration is unknown until everything is loaded. */
function stateSpans({ row: known, view, loading, past }: OpenSession, now: number, styles: Styles): Span[] {
	if (past)
		return [
			span(` ${styles.glyphs.ended} past session, read-only`, 'faint'),
			span(`  last used ${age(past.lastActivity, now)} ago`, 'faint'),
		];
	const { status, lastRun } = view.state;
	const { tone, glyph } = RUN_STATES[status];
	const ownDialog = toOwnDialog(view.dialogs, view.asks.byId.size) ?? known?.ownDialog;
	const words = runWords({ agent: known?.agent ?? 'agent', status, ownDialog });
	const last = lastRunWords({ status, lastRun });
	const since = loading || view.state.since === undefined ? '' : ` ${age(view.state.since, now)}`;
	return [span(` ${styles.glyphs[glyph]} ${words}`, tone), span(last, 'warn'), span(since, 'faint')];
}

/** What it does now is unknown. */
function lastStateSpans({ row: known, view }: OpenSession, { glyphs }: Styles): Span[] {
	const words = runWords({ agent: known?.agent ?? 'agent', status: view.state.status });
	return [span(` ${glyphs.ended} last known: ${words}`, 'faint')];
}

function isAway(world: World): boolean {
	return shownRunner(world)?.online === false;
}

/** Another agent may continue the conversation of one that is gone. */
function agentSpans({ id, row: known, view }: OpenSession, { agentStatus, now }: World): Span[] {
	if (agentStatus?.sessionId !== id || view.state.status !== 'interrupted') return [];
	return [span(`  ${known?.agent ?? 'agent'}: ${statusWords(agentStatus.status, now)}`, 'faint')];
}

/** Gaps and problems of the record. */
function troubleSpans({ view, loading }: OpenSession, now: number): Span[] {
	const { status, since, reason } = view.connection;
	const reading = loading
		? [span(`  reading the record: ${short(loading.read)} of ${short(Math.max(loading.read, loading.total))}`, 'faint')]
		: [];
	if (status !== 'degraded' && status !== 'gap') return reading;
	const words = status === 'degraded' ? 'degraded' : 'events missed';
	const when = since === undefined ? '' : ` ${age(since, now)}`;
	return [...reading, span(`  ${words}${when}${reason ? `: ${reason}` : ''}`, 'bad')];
}

function usageSpans({ usage }: SessionView): Span[] {
	const { total, costUsdEstimate } = usage;
	const tokens = total.input_tokens + total.output_tokens + total.cache_read_tokens + total.cache_write_tokens;
	if (tokens === 0) return [];
	const cost = costUsdEstimate === undefined ? '' : `  ${money(costUsdEstimate)}`;
	return [span(`${short(tokens)} tokens${cost} `, 'faint')];
}

function askSpans({ asks, elsewhere }: World): Span[] {
	if (elsewhere.length > 0) {
		const others = atOthers(elsewhere.length);
		return [span(asks.length === 0 ? ` ${others}: press w ` : ` ${asks.length} to decide: press a, ${others}: w `, 'warn')];
	}
	if (asks.length === 0) return [];
	return [span(asks.length === 1 ? ' 1 to decide: press a ' : ` ${asks.length} to decide: press a, w lists all `, 'warn')];
}

function connectionSpans(world: World): Row {
	const { connection, now } = world;
	const runner = shownRunner(world);
	if (connection.state === 'live' && runner && isAway(world)) return row(span(`${presenceWords(runner, now)} `, 'bad'));
	if (connection.state === 'live') return row(span('live ', 'good'));
	const reason = connection.reason ? `: ${connection.reason}` : '';
	return row(span(`${connection.state} since ${age(connection.since, now)}${reason} `, 'bad'));
}
