// One feed event as one line of text: time, who, what.
import type { FeedEvent } from '@roost/protocol/feed/event';

export type LineStyle = { colour: boolean };

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

export function toFeedLine(event: FeedEvent, style: LineStyle): string {
	const indent = event.actor_id.startsWith('subagent:') ? '  │ ' : '  ';
	const text = `${clock(event.ts)}${indent}${event.title}`;
	const code = refused(event) ? '31' : (COLOURS[event.level] ?? KIND_COLOURS[event.kind]);
	return style.colour && code ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** Colour only where a person looks, and only if they did not say no. */
export function styleFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): LineStyle {
	return { colour: stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' };
}

function refused(event: FeedEvent): boolean {
	return event.kind === 'permission.decision' && event.data.decision_type === 'deny';
}

function clock(ts: number): string {
	return new Date(ts).toTimeString().slice(0, 8);
}
