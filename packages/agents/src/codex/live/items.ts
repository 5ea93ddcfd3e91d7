// Items of Codex in the normal form: calls, messages, subagents, compaction.
import type { LiveCall } from '../../live/gate.ts';
import type { LiveContext } from '../../live/live-agent.ts';
import type { OpenCall } from '../../live/turns.ts';
import { type FileChange, toBashCall, toFileCalls, toToolInput, unwrapShell } from '../tool-calls.ts';
import type { ItemOf, KnownItem } from './protocol.ts';

export type Items = ReturnType<typeof createItems>;

/** `agentId` is set for subagents. */
export type Thread = { turnId: string; agentId: string | undefined };

const MAX_OPEN = 1000;

export function createItems({ reporter, calls, messages }: Pick<LiveContext, 'reporter' | 'calls' | 'messages'>, cwd: string) {
	const open = new Map<string, { item: KnownItem; thread: Thread }>();

	function keep(item: KnownItem, thread: Thread): void {
		open.set(item.id, { item, thread });
		const oldest = open.size > MAX_OPEN ? open.keys().next().value : undefined;
		if (oldest !== undefined) open.delete(oldest);
	}

	/** A call that was not announced bypassed the gate, which is recorded. */
	function announced(call: LiveCall): OpenCall {
		const known = calls.find(call.tool_use_id);
		if (known) return known;
		reporter.report('PreToolUse', { ...call });
		reporter.fail({
			code: 'denied',
			message: `Codex ran ${call.tool_name} without asking Roost first.`,
			detail: call.tool_use_id,
		});
		return { ...call };
	}

	function report(
		call: LiveCall,
		outcome: { response?: unknown; error?: string | undefined; ms?: number | null | undefined },
	): void {
		const duration = typeof outcome.ms === 'number' ? { duration_ms: outcome.ms } : {};
		const payload = { ...announced(call), ...duration };
		if (outcome.error === undefined) reporter.report('PostToolUse', { ...payload, tool_response: outcome.response });
		else reporter.report('PostToolUseFailure', { ...payload, error: outcome.error, is_interrupt: false });
		calls.observe('PostToolUse', { tool_use_id: call.tool_use_id });
	}

	function completeCommand(item: ItemOf<'commandExecution'>, thread: Thread): void {
		const output = item.aggregatedOutput ?? '';
		const isFine = item.status === 'completed' && (item.exitCode ?? 0) === 0;
		const error = isFine ? undefined : `Exit code ${item.exitCode ?? 'unknown'}${output === '' ? '' : `\n${output}`}`;
		const response = { stdout: output, stderr: '', exit_code: item.exitCode ?? null };
		for (const call of toCalls(item, thread, cwd)) report(call, { response, error, ms: item.durationMs });
	}

	function completed(thread: Thread, item: KnownItem): void {
		open.delete(item.id);
		// The denial is recorded already.
		if ('status' in item && item.status === 'declined') return;
		switch (item.type) {
			case 'agentMessage':
				if (thread.agentId === undefined) messages.finish(item.id, item.text, thread.turnId);
				break;
			case 'commandExecution':
				completeCommand(item, thread);
				break;
			case 'fileChange': {
				const error = item.status === 'completed' ? undefined : 'The patch could not be applied.';
				for (const call of toCalls(item, thread, cwd)) report(call, { response: { applied: true }, error, ms: item.durationMs });
				break;
			}
			case 'mcpToolCall': {
				const error = item.status === 'completed' ? undefined : (item.error?.message ?? 'The tool failed.');
				for (const call of toCalls(item, thread, cwd))
					report(call, { response: item.result?.content, error, ms: item.durationMs });
				break;
			}
			case 'webSearch':
				reporter.report('PostToolUse', { ...toSearch(item, thread), tool_response: {} });
				break;
			case 'contextCompaction':
				reporter.report('PostCompact', { trigger: 'auto' });
				break;
			case 'subAgentActivity':
				break;
		}
	}

	return {
		/** `turnId` identifies the message, for forks. */
		started(thread: Thread, item: KnownItem): void {
			keep(item, thread);
			if (item.type === 'webSearch') reporter.report('PreToolUse', { ...toSearch(item, thread) });
			if (item.type === 'contextCompaction') reporter.report('PreCompact', { trigger: 'auto' });
			if (item.type === 'subAgentActivity' && item.kind === 'started') reporter.report('SubagentStart', toSubagent(item));
			if (item.type === 'subAgentActivity' && item.kind === 'completed')
				reporter.report('SubagentStop', { ...toSubagent(item), stop_hook_active: false });
		},
		completed,
		/** The calls of an approval request; empty for unknown items. */
		find(itemId: string): readonly LiveCall[] {
			const found = open.get(itemId);
			return found ? toCalls(found.item, found.thread, cwd) : [];
		},
		findServerCall(server: string, input: unknown): LiveCall | undefined {
			const wanted = JSON.stringify(toToolInput(input));
			const found = [...open.values()].find(
				({ item }) =>
					item.type === 'mcpToolCall' && item.server === server && JSON.stringify(toToolInput(item.arguments)) === wanted,
			);
			return found && toCalls(found.item, found.thread, cwd)[0];
		},
		/** Ends calls that Codex does not report as ended. */
		finishQuiet(ids: readonly string[]): void {
			for (const id of ids) {
				const call = calls.find(id);
				if (call) reporter.report('PostToolUse', { ...call });
				calls.observe('PostToolUse', { tool_use_id: id });
			}
		},
	};
}

function toCalls(item: KnownItem, { agentId }: Thread, cwd: string): LiveCall[] {
	const whose = agentId === undefined ? {} : { agent_id: agentId };
	return nativeCalls(item, cwd).map((call) => ({ ...call, ...whose }));
}

function nativeCalls(item: KnownItem, cwd: string): LiveCall[] {
	switch (item.type) {
		case 'commandExecution':
			return [toBashCall(item.id, unwrapShell(item.command))];
		case 'fileChange':
			return toFileCalls(item.id, item.changes.map(toChange), cwd);
		case 'mcpToolCall':
			return [{ tool_use_id: item.id, tool_name: `mcp__${item.server}__${item.tool}`, tool_input: toToolInput(item.arguments) }];
		default:
			return [];
	}
}

function toChange({ path, kind, diff }: ItemOf<'fileChange'>['changes'][number]): FileChange {
	return { path, kind: kind.type, text: diff, movedTo: kind.move_path ?? undefined };
}

/** The search runs at the model's provider and cannot be gated. */
function toSearch(item: ItemOf<'webSearch'>, { agentId }: Thread): LiveCall {
	const whose = agentId === undefined ? {} : { agent_id: agentId };
	return { tool_use_id: item.id, tool_name: 'WebSearch', tool_input: { query: item.query ?? '' }, ...whose };
}

function toSubagent({ agentThreadId, agentPath }: ItemOf<'subAgentActivity'>): { agent_id: string; agent_type: string } {
	return { agent_id: agentThreadId, agent_type: agentPath };
}
