// Calls, failures and total run time of each tool.
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

export function countCall(tools: ToolStatistics, tool: string): void {
	statisticOf(tools, tool).calls += 1;
}

export function beginCall(tools: ToolStatistics, event: FeedEventOf<'tool.pre'>): void {
	tools.inFlight.set(event.data.tool_use_id ?? event.event_id, event.ts);
	if (tools.inFlight.size > MAX_CALLS_IN_FLIGHT) takeStart(tools, tools.inFlight.keys().next().value);
}

/** Time spent waiting for a decision does not count as run time. */
export function pauseCall(tools: ToolStatistics, key: string | undefined, ms: number): void {
	const startedAt = key === undefined ? undefined : tools.inFlight.get(key);
	if (key !== undefined && startedAt !== undefined) tools.inFlight.set(key, startedAt + Math.max(0, ms));
}

/** Returns whether the beginning of the call was seen. */
export function endCall(tools: ToolStatistics, event: FeedEventOf<'tool.post' | 'tool.failure'>): boolean {
	const statistic = statisticOf(tools, event.data.tool_name);
	if (event.kind === 'tool.failure') statistic.failures += 1;
	const startedAt = takeStart(tools, event.data.tool_use_id) ?? takeStart(tools, event.cause?.parent_event_id);
	const measured = startedAt === undefined ? 0 : event.ts - startedAt;
	statistic.durationMs += Math.max(0, event.data.duration_ms ?? measured);
	return startedAt !== undefined;
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
