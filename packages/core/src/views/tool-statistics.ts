// How often each tool was called, failed, and how long it took in all.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { MAX_CALLS_IN_FLIGHT, MAX_TOOL_NAMES } from './bounds.ts';

export type ToolStatistic = { calls: number; failures: number; durationMs: number };

export type ToolStatistics = {
	/** At most MAX_TOOL_NAMES. */
	byTool: Map<string, ToolStatistic>;
	/** Every tool beyond those. */
	other: ToolStatistic;
	/** When calls began that have not ended, by tool use id, else by event id; at most MAX_CALLS_IN_FLIGHT. */
	inFlight: Map<string, number>;
};

export function createToolStatistics(): ToolStatistics {
	return { byTool: new Map(), other: zero(), inFlight: new Map() };
}

export function noteCall(tools: ToolStatistics, event: FeedEventOf<'tool.pre'>): void {
	statisticOf(tools, event.data.tool_name).calls += 1;
	tools.inFlight.set(event.data.tool_use_id ?? event.event_id, event.ts);
	if (tools.inFlight.size > MAX_CALLS_IN_FLIGHT) takeStart(tools, tools.inFlight.keys().next().value);
}

export function noteOutcome(tools: ToolStatistics, event: FeedEventOf<'tool.post'> | FeedEventOf<'tool.failure'>): void {
	const statistic = statisticOf(tools, event.data.tool_name);
	if (event.kind === 'tool.failure') statistic.failures += 1;
	const startedAt = takeStart(tools, event.data.tool_use_id ?? event.cause?.parent_event_id);
	const measured = startedAt === undefined ? 0 : event.ts - startedAt;
	statistic.durationMs += Math.max(0, event.data.duration_ms ?? measured);
}

/** A batch closes calls that were denied and so have no outcome of their own. */
export function closeBatch(tools: ToolStatistics, event: FeedEventOf<'tool.batch'>): void {
	for (const call of event.data.tool_calls) takeStart(tools, call.tool_use_id);
}

function statisticOf(tools: ToolStatistics, tool: string): ToolStatistic {
	const known = tools.byTool.get(tool);
	if (known !== undefined) return known;
	if (tools.byTool.size >= MAX_TOOL_NAMES) return tools.other;
	const fresh = zero();
	tools.byTool.set(tool, fresh);
	return fresh;
}

function takeStart(tools: ToolStatistics, key: string | undefined): number | undefined {
	if (key === undefined) return undefined;
	const startedAt = tools.inFlight.get(key);
	tools.inFlight.delete(key);
	return startedAt;
}

function zero(): ToolStatistic {
	return { calls: 0, failures: 0, durationMs: 0 };
}
