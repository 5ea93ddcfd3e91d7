// Statistics of the session: runs, tools, tokens and actors.
import type { World } from '@roost/client/world/world';
import { money, short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { toolName } from '@roost/core/display/tools/tool-name';
import { actorName } from '@roost/core/views/actor-names';
import type { ActorView } from '@roost/core/views/actors';
import type { SessionView } from '@roost/core/views/session-view';
import type { ToolStatistic } from '@roost/core/views/tool-statistics';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { duration } from '../feed/feed-rows.ts';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, stay } from '../pane.ts';
import { bar, cell, numberCell } from '../parts/cells.ts';
import { scrollRows } from '../parts/list.ts';
import { type Row, row, type Span, span } from '../screen/row.ts';

export type StatsState = { readonly top: number };

export const statsPane: Pane<StatsState> = {
	title: 'Stats',
	keys: [...MOVING, { keys: ['esc'], action: 'back', help: 'back to the feed', hint: true }],
	start: () => ({ top: 0 }),
	act(state, action, world, room) {
		if (action === 'back') return { state, go: 'back' };
		return stay({ top: scrollRows(state.top, action, statRows(world, room).length, room.height) });
	},
	draw(state, world, room) {
		const rows = statRows(world, room);
		const top = scrollRows(state.top, '', rows.length, room.height);
		return { rows: rows.slice(top, top + room.height) };
	},
};

function statRows({ open, now }: World, room: Room): Row[] {
	if (!open) return [row(span('No session is open.', 'faint'))];
	const parts = [
		runStats(open.view, now, room),
		toolStats(open.view, room),
		tokenStats(open.view, room),
		actorStats(open.view, room),
	];
	return parts.flatMap((rows, index) => (index === 0 ? rows : [[], ...rows]));
}

function runStats({ runs, state, summary }: SessionView, now: number, room: Room): Row[] {
	const { completed, failed, aborted, durationMs } = runs.totals;
	const finished = completed + failed + aborted;
	const running = state.openRun === undefined ? [] : [`running for ${duration(now - (runs.recent.at(-1)?.startedAt ?? now))}`];
	const words = [plural(runs.started, 'run'), ...counted({ completed, failed, aborted }), ...running];
	const mean = finished > 0 ? `${duration(durationMs)} in all, ${duration(durationMs / finished)} each` : '';
	const recent = runs.recent.slice(-MOST_BARS).map((run) => run.durationMs ?? now - run.startedAt);
	return [
		heading('Runs', mean),
		row(span(` ${words.join(', ')}`)),
		row(
			span(
				` ${plural(summary.events, 'event')}, ${plural(summary.toolCalls, 'tool call')}, ${summary.toolFailures} failed`,
				'faint',
			),
		),
		...recent.map((ms, index) =>
			barRow(`run ${runs.started - recent.length + index + 1}`, ms / Math.max(...recent), duration(ms), room),
		),
	];
}

const MOST_BARS = 5;

function toolStats({ tools }: SessionView, room: Room): Row[] {
	const known = [...tools.byTool].map(([name, statistic]) => ({ name: toolName(name), ...statistic }));
	const all = [...known, ...(tools.other.calls > 0 ? [{ name: 'other', ...tools.other }] : [])].toSorted(
		(a, b) => b.calls - a.calls,
	);
	if (all.length === 0) return [heading('Tools', 'none was called')];
	const most = Math.max(...all.map(({ calls }) => calls));
	return [heading('Tools', 'calls, failures, time in all and each'), ...all.map((tool) => toolRow(tool, most, room))];
}

function toolRow({ name, calls, failures, durationMs }: ToolStatistic & { name: string }, most: number, room: Room): Row {
	const { styles, width } = room;
	const times = [duration(durationMs), duration(calls > 0 ? durationMs / calls : 0)];
	const numbers = [
		numberCell(String(calls), 6, styles),
		numberCell(failures > 0 ? String(failures) : '', 5, styles, 'bad'),
		...times.map((time) => numberCell(time, 8, styles, 'faint')),
	];
	const label = labelWidth(width);
	const rest = width - label - 27 - 3;
	return [
		cell(` ${name}`, label, styles, 'tool'),
		...numbers,
		...(rest >= SHORTEST_BAR ? [span('  '), ...bar(calls / most, Math.min(rest, LONGEST_BAR), styles)] : []),
	];
}

const KINDS: readonly { key: Exclude<keyof TokenUsage, 'reasoning_tokens'>; words: string }[] = [
	{ key: 'input_tokens', words: 'input' },
	{ key: 'output_tokens', words: 'output' },
	{ key: 'cache_read_tokens', words: 'cache read' },
	{ key: 'cache_write_tokens', words: 'cache written' },
];

function tokenStats({ usage }: SessionView, room: Room): Row[] {
	const { total, byModel, costUsdEstimate, pricesAsOf } = usage;
	const sum = sumOf(total);
	if (sum === 0) return [heading('Tokens', 'none reported yet')];
	const prices = pricesAsOf ? `, prices of ${pricesAsOf}` : '';
	const cost = costUsdEstimate === undefined ? '' : `, ${money(costUsdEstimate)}${prices}`;
	const { reasoning_tokens: reasoning = 0 } = total;
	return [
		heading('Tokens', `${short(sum)}${cost}`),
		...KINDS.map(({ key, words }) => barRow(words, total[key] / sum, short(total[key]), room)),
		...(reasoning > 0 ? [barRow('reasoning, in output', reasoning / sum, short(reasoning), room)] : []),
		...Object.entries(byModel).map(([model, used]) => barRow(model, sumOf(used) / sum, short(sumOf(used)), room)),
	];
}

function sumOf(usage: TokenUsage): number {
	return KINDS.reduce((sum, { key }) => sum + usage[key], 0);
}

const MOST_ACTORS = 20;

function actorStats({ actors }: SessionView, room: Room): Row[] {
	const working = [...actors.byId.values()].filter(({ kind }) => kind !== 'user').toSorted((a, b) => b.toolCalls - a.toolCalls);
	const most = Math.max(...working.map(({ toolCalls }) => toolCalls));
	const shown = working.slice(0, MOST_ACTORS);
	const left = working.length - shown.length;
	return [
		heading('Actors', 'tool calls'),
		...shown.map((actor) => barRow(actorName(actor.actorId, actors), actor.toolCalls / most, callsOf(actor), room)),
		...(left > 0 ? [row(span(` and ${left} more`, 'faint'))] : []),
	];
}

function callsOf({ toolCalls, toolFailures }: ActorView): string {
	return toolFailures > 0 ? `${toolCalls}, ${toolFailures} failed` : String(toolCalls);
}

function counted(counts: Record<string, number>): string[] {
	return Object.entries(counts).flatMap(([words, count]) => (count > 0 ? [`${count} ${words}`] : []));
}

function heading(title: string, words: string): Row {
	return row(span(` ${title}`, 'title'), span(words && `  ${words}`, 'faint'));
}

const LONGEST_BAR = 40;
const SHORTEST_BAR = 4;
const AMOUNT = 16;

function barRow(label: string, share: number, amount: string, { width, styles }: Room): Row {
	const wide = labelWidth(width);
	const rest = width - wide - AMOUNT - 1;
	const shown: Span[] = rest >= SHORTEST_BAR ? [...bar(share, Math.min(rest, LONGEST_BAR), styles), span('  ')] : [];
	return [cell(` ${label}`, wide, styles), ...shown, span(amount, 'faint')];
}

function labelWidth(width: number): number {
	return Math.max(10, Math.min(28, Math.floor(width / 4)));
}
