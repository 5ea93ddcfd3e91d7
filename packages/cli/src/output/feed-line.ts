// A feed event as lines of text: time, who, what, and the first lines of a result.
import { sanitiseBlock } from '@roost/core/display/sanitise';
import { shouldExclude } from '@roost/core/feed/filter';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { decidedBy } from './decided-by.ts';
import { eventText } from './event-text.ts';

export type LineStyle = { colour: boolean; full?: boolean };

const COLOURS: Record<string, string> = { error: '31', warn: '33', debug: '2' };
const KIND_COLOURS: Record<string, string> = {
	'user.prompt': '1',
	'agent.message': '36',
	'permission.request': '33',
	'permission.decision': '32',
	'tool.post': '2',
	'run.start': '2',
	'run.end': '2',
};

/** So much of a result is printed unless all of it is wanted. */
const RESULT_LINES = 3;
const RESULT_WIDTH = 160;

/** Results are printed here, other than in lists that show them with their call. */
export function isPrinted(event: FeedEvent): boolean {
	return event.kind === 'tool.post' || !shouldExclude(event);
}

export function toFeedText(event: FeedEvent, style: LineStyle): string {
	return [toFeedLine(event, style), ...below(event, style)].join('\n');
}

export function toFeedLine(event: FeedEvent, style: LineStyle): string {
	return paint(`${clock(event.ts)}${indentOf(event)}${wordsFor(event)}`, event, style);
}

/** The title, with what a list of lines wants more or less of. */
function wordsFor(event: FeedEvent): string {
	// The prompt follows on its own line.
	if (event.kind === 'run.start') return '▶ Run';
	if (event.kind === 'agent.message') return `◆ ${event.title}`;
	if (event.kind === 'permission.decision' && event.data.decided_by !== 'terminal') {
		const by = decidedBy(event.data);
		if (event.title.includes(by)) return event.title;
		return event.data.decision_type === 'allow' ? `${event.title} ${by}` : `${event.title} (${by})`;
	}
	return event.title;
}

function below(event: FeedEvent, style: LineStyle): string[] {
	if (!style.full && event.kind !== 'tool.post') return [];
	const text = sanitiseBlock(eventText(event, style.full === true) ?? '').trimEnd();
	const lines = text === '' ? [] : text.split('\n');
	// The title holds a short line whole.
	if (event.kind !== 'tool.post' && lines.length < 2 && !event.title.endsWith('…')) return [];
	const shown = style.full ? lines : lines.slice(0, RESULT_LINES).map(cut);
	const hidden = lines.length - shown.length;
	const more = hidden > 0 ? [`… ${hidden} more ${hidden === 1 ? 'line' : 'lines'} (--full)`] : [];
	const indent = `${' '.repeat(8)}${indentOf(event)}  `;
	return [...shown, ...more].map((line) => paint(`${indent}${line}`, event, style));
}

function cut(line: string): string {
	return line.length > RESULT_WIDTH ? `${line.slice(0, RESULT_WIDTH - 1)}…` : line;
}

/** Colour only where a person looks, and only if they did not say no. */
export function styleFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): LineStyle {
	return { colour: stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' };
}

function paint(text: string, event: FeedEvent, { colour }: LineStyle): string {
	const code = refused(event) ? '31' : (COLOURS[event.level] ?? KIND_COLOURS[event.kind]);
	return colour && code ? `\x1b[${code}m${text}\x1b[0m` : text;
}

function indentOf({ actor_id }: FeedEvent): string {
	return actor_id.startsWith('subagent:') ? '  │ ' : '  ';
}

function refused(event: FeedEvent): boolean {
	return event.kind === 'permission.decision' && event.data.decision_type === 'deny';
}

function clock(ts: number): string {
	return new Date(ts).toTimeString().slice(0, 8);
}
