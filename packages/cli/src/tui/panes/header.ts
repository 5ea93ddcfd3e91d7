// The two lines on top: where we are, what the session is doing, what it cost, what waits, and whether we hear the runner.
import { basename } from 'node:path';
import type { SessionView } from '@roost/core/views/session-view';
import { age } from '../../output/table.ts';
import type { Look, Tone } from '../screen/look.ts';
import { fitRow, type Row, row, span, spread } from '../screen/row.ts';
import type { OpenSession, World } from '../world.ts';

export function headerRows(world: World, width: number, look: Look): Row[] {
	const { open } = world;
	const project = fitRow(row(span(basename(world.project.path), 'strong')), Math.floor(width / 3), look);
	const connection = fitRow(connectionSpans(world), Math.floor(width / 2), look);
	const top = spread([span(' roost ', 'title'), ...project, ...sessionSpans(open)], connection, width, look);
	const below = open ? spread(stateSpans(open.view, world.now, look), usageSpans(world, open.view), width, look) : row();
	return [top, below];
}

function sessionSpans(open: OpenSession | null): Row {
	if (!open) return [];
	const { row: known, view } = open;
	return row(
		span('  '),
		span(open.id, 'accent'),
		span(`  ${known?.agent ?? ''} ${view.summary.model ?? ''}`, 'faint'),
		`  ${view.summary.title}`,
	);
}

const STATES: Record<SessionView['state']['status'], { words: string; tone: Tone; glyph: keyof Look['glyphs'] }> = {
	working: { words: 'working', tone: 'good', glyph: 'working' },
	waiting: { words: 'waiting for you', tone: 'warn', glyph: 'waiting' },
	idle: { words: 'idle', tone: 'faint', glyph: 'idle' },
	interrupted: { words: 'interrupted', tone: 'warn', glyph: 'idle' },
	ended: { words: 'ended', tone: 'faint', glyph: 'ended' },
};

function stateSpans(view: SessionView, now: number, look: Look): Row {
	const { words, tone, glyph } = STATES[view.state.status];
	const since = view.state.since === undefined ? '' : ` ${age(view.state.since, now)}`;
	return row(span(` ${look.glyphs[glyph]} ${words}`, tone), span(since, 'faint'));
}

function usageSpans({ asks }: World, { usage }: SessionView): Row {
	const { total } = usage;
	const tokens = total.input_tokens + total.output_tokens + total.cache_read_tokens + total.cache_write_tokens;
	const cost = usage.costUsdEstimate === undefined ? '' : `  about $${usage.costUsdEstimate.toFixed(2)}`;
	const waiting = asks.length === 0 ? [] : [span(`  ${asks.length} to decide: press a`, 'warn')];
	return [span(tokens > 0 ? `${short(tokens)} tokens${cost}` : '', 'faint'), ...waiting, span(' ')];
}

function connectionSpans({ connection, now }: World): Row {
	if (connection.state === 'live') return row(span('live ', 'good'));
	const reason = connection.reason ? `: ${connection.reason}` : '';
	return row(span(`${connection.state} since ${age(connection.since, now)}${reason} `, 'bad'));
}

export function short(count: number): string {
	if (count < 1_000) return String(count);
	if (count < 1_000_000) return `${(count / 1_000).toFixed(1)}k`;
	return `${(count / 1_000_000).toFixed(1)}M`;
}
