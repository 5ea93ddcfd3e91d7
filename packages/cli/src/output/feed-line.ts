// One feed event as one line of text: time, who, what.
import type { FeedData, FeedEvent } from '@roost/protocol/feed/event';

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
	const text = `${clock(event.ts)}${indent}${wordsFor(event)}`;
	const code = refused(event) ? '31' : (COLOURS[event.level] ?? KIND_COLOURS[event.kind]);
	return style.colour && code ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** The title, with what a list of lines wants more or less of. */
function wordsFor(event: FeedEvent): string {
	// The prompt follows on its own line.
	if (event.kind === 'run.start') return '▶ Run';
	if (event.kind === 'agent.message') return `◆ ${event.title}`;
	if (event.kind === 'permission.decision') return `${event.title}${originOf(event.data)}`;
	return event.title;
}

function originOf({ decided_by, rule_id, principal, decision_type }: FeedData<'permission.decision'>): string {
	if (decision_type !== 'allow' || decided_by === 'terminal') return '';
	return ` by ${rule_id ? `rule ${rule_id}` : (principal ?? decided_by)}`;
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
