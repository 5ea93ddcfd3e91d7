// A feed as text for comparison with a file: kinds with parent links, without values that differ between runs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { eventTitle } from '@roost/core/feed/title';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';

/** One line per event: `R1:E6 tool.post agent:root Bash ← R1:E3`. Paths of the project become `<project>`. */
export function toGoldenFeed(lines: readonly StoredLine[], projectPath: string): string {
	return toGoldenText(withUsageLast(lines).map(({ event }) => event)).replaceAll(projectPath, '<project>');
}

export function toGoldenText(events: readonly FeedEvent[]): string {
	const names = new Map<string, string>();
	return `${events.map((event) => toGoldenLine(event, names)).join('\n')}\n`;
}

/** The number of usage updates depends on when the agent writes its transcript; only the last is kept, at the end. */
function withUsageLast(lines: readonly StoredLine[]): StoredLine[] {
	const updates = lines.filter(({ event }) => event.kind === 'usage.update');
	return renumber([...lines.filter((line) => !updates.includes(line)), ...updates.slice(-1)]);
}

/** Parallel calls report in any order: this groups the events of each call, sorts calls by input, and numbers them again. */
export function inCallOrder(lines: readonly StoredLine[]): StoredLine[] {
	const first = lines.findIndex((line) => callOf(line) !== undefined);
	const calls = Object.groupBy(
		lines.filter((line) => callOf(line) !== undefined),
		(line) => callOf(line) ?? '',
	);
	const grouped = Object.values(calls).sort((a, b) => inputOf(a).localeCompare(inputOf(b)));
	const rest = lines.filter((line) => callOf(line) === undefined);
	return renumber([...rest.slice(0, first), ...grouped.flatMap((group) => group ?? []), ...rest.slice(first)]);
}

function callOf({ event }: StoredLine): string | undefined {
	return event.cause?.tool_use_id;
}

function inputOf(group: readonly StoredLine[] | undefined): string {
	const event = group?.[0]?.event;
	return event?.kind === 'tool.pre' ? JSON.stringify(event.data.tool_input) : '';
}

function renumber(lines: readonly StoredLine[]): StoredLine[] {
	const counts = new Map<string, number>();
	const places = new Map<string, string>();
	for (const { event } of lines) {
		const place = (counts.get(event.run_id) ?? 0) + 1;
		counts.set(event.run_id, place);
		places.set(event.event_id, `${event.run_id}:E${place}`);
	}
	return lines.map((line) => storedLine.parse(JSON.parse(JSON.stringify(line), (_, value) => places.get(value) ?? value)));
}

/** The content of the golden file; with ROOST_UPDATE_GOLDEN=1 it is written first, for a person to review. */
export function goldenText(path: string, actual: string): string {
	if (process.env.ROOST_UPDATE_GOLDEN === '1') {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, actual);
	}
	if (!existsSync(path)) throw new Error(`${path} is missing: make it with ROOST_UPDATE_GOLDEN=1 and read it`);
	return readFileSync(path, 'utf8');
}

function toGoldenLine(event: FeedEvent, names: Map<string, string>): string {
	const parent = event.cause?.parent_event_id;
	return [
		shortId(event.event_id),
		event.kind,
		actorName(event.actor_id, names),
		...detail(event),
		...(parent ? ['←', shortId(parent)] : []),
	].join(' ');
}

/** `R1:E3` without the session. */
function shortId(eventId: string): string {
	return eventId.split(':').slice(-2).join(':');
}

/** Agents' ids are random; their order of appearance is not. */
function actorName(actor: string, names: Map<string, string>): string {
	if (!actor.startsWith('subagent:')) return actor;
	const known = names.get(actor);
	if (known) return known;
	const name = `subagent:${names.size + 1}`;
	names.set(actor, name);
	return name;
}

function detail(event: FeedEvent): string[] {
	switch (event.kind) {
		case 'session.start':
			return [event.data.source];
		case 'session.end':
			return [event.data.reason];
		case 'run.end':
			return [event.data.status, JSON.stringify(event.data.counters)];
		case 'user.prompt':
			return [JSON.stringify(event.data.prompt)];
		case 'notification':
			return [JSON.stringify(eventTitle(event))];
		case 'agent.message':
			return [JSON.stringify(event.data.text)];
		case 'tool.pre':
		case 'tool.post':
		case 'permission.denied':
			return [event.data.tool_name];
		case 'tool.failure':
			return [event.data.tool_name, JSON.stringify(event.data.error)];
		case 'permission.request':
			return [event.data.tool_name, event.data.risk, ...(event.data.ask_id ? ['asked'] : [])];
		case 'permission.decision':
			return [event.data.decision_type, 'by', event.data.rule_id ?? event.data.principal ?? event.data.decided_by];
		case 'question.answer':
			return [JSON.stringify(event.data.answers), 'by', event.data.principal ?? event.data.decided_by];
		case 'subagent.start':
			return [event.data.agent_type];
		case 'session.summary':
			return [`messages=${event.data.messages}`, `tool_calls=${event.data.tool_calls}`];
		case 'usage.update':
			return [`input=${event.data.total.input_tokens}`, `output=${event.data.total.output_tokens}`];
		case 'stop.failure':
			return [JSON.stringify(event.data.error)];
		default:
			return [];
	}
}
