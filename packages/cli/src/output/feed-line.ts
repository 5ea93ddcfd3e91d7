// A feed event as lines of text: time, title, and the text of the event below it.
import { sanitiseBlock } from '@roost/core/display/sanitise';
import { isFields, listAt, textAt } from '@roost/core/display/tools/fields';
import { responseText } from '@roost/core/display/tools/response-text';
import { shouldExclude } from '@roost/core/feed/filter';
import { eventTitle } from '@roost/core/feed/title';
import { mainText } from '@roost/core/views/main-text';
import { decidedBy } from '@roost/core/views/words';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { feedSign } from './feed-sign.ts';

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

/** Limits for results, without --full. */
const RESULT_LINES = 3;
const RESULT_WIDTH = 160;

/** Results are printed on their own line here; lists show them with their call. */
export function isPrinted(event: FeedEvent): boolean {
	return event.kind === 'tool.post' || !shouldExclude(event);
}

export function toFeedText(event: FeedEvent, style: LineStyle): string {
	return [toFeedLine(event, style), ...below(event, style)].join('\n');
}

export function toFeedLine(event: FeedEvent, style: LineStyle): string {
	return paint(`${clock(event.ts)}${indentOf(event)}${wordsFor(event)}`, event, style);
}

/** The sign and the title, adjusted for a list of lines. */
function wordsFor(event: FeedEvent): string {
	const sign = feedSign(event);
	return sign === '' ? titleFor(event) : `${sign} ${titleFor(event)}`;
}

function titleFor(event: FeedEvent): string {
	if (event.kind === 'run.start') return 'Run';
	const title = eventTitle(event);
	if (event.kind !== 'permission.decision' || event.data.decided_by === 'terminal') return title;
	const by = decidedBy(event.data);
	if (title.includes(by)) return title;
	return event.data.decision_type === 'allow' ? `${title} ${by}` : `${title} (${by})`;
}

function below(event: FeedEvent, style: LineStyle): string[] {
	if (!style.full && event.kind !== 'tool.post') return [];
	const text = sanitiseBlock(eventText(event, style.full === true) ?? '').trimEnd();
	const lines = text === '' ? [] : text.split('\n');
	// The title already contains a short text.
	if (event.kind !== 'tool.post' && lines.length < 2 && !eventTitle(event).endsWith('…')) return [];
	const shown = style.full ? lines : lines.slice(0, RESULT_LINES).map(cut);
	const hidden = lines.length - shown.length;
	const more = hidden > 0 ? [`… ${hidden} more ${hidden === 1 ? 'line' : 'lines'} (--full)`] : [];
	const indent = `${' '.repeat(8)}${indentOf(event)}  `;
	return [...shown, ...more].map((line) => paint(`${indent}${line}`, event, style));
}

function cut(line: string): string {
	return line.length > RESULT_WIDTH ? `${line.slice(0, RESULT_WIDTH - 1)}…` : line;
}

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

export function clock(ts: number): string {
	return new Date(ts).toTimeString().slice(0, 8);
}

/** Undefined if the title is enough. Results that are no text are JSON, printed only in full. */
function eventText(event: FeedEvent, full: boolean): string | undefined {
	switch (event.kind) {
		case 'user.prompt':
		case 'agent.message':
		case 'tool.failure':
			return mainText(event);
		case 'tool.pre':
			return inputText(event.data.tool_input);
		case 'tool.post':
			return resultText(event.data.tool_response) ?? (full ? JSON.stringify(event.data.tool_response, null, 2) : undefined);
		default:
			return undefined;
	}
}

function inputText(input: ToolInput): string | undefined {
	const command = textAt(input, 'command');
	if (command !== undefined) return command;
	return Object.keys(input).length > 1 ? JSON.stringify(input, null, 2) : undefined;
}

function resultText(response: unknown): string | undefined {
	if (response === undefined || response === null) return '';
	return textAt(response, 'stdout') === undefined ? (fileText(response) ?? responseText(response)) : outputText(response);
}

function outputText(response: unknown): string {
	const parts = [textAt(response, 'stdout'), textAt(response, 'stderr')].map((text = '') => text.trimEnd());
	return parts.filter((text) => text !== '').join('\n');
}

function fileText(response: unknown): string | undefined {
	if (!isFields(response)) return undefined;
	const names = listAt(response, 'filenames');
	return textAt(response.file, 'content') ?? textAt(response, 'content') ?? names?.map(String).join('\n');
}
