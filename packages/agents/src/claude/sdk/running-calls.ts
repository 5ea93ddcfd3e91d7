// Calls that run: their input, duration and result, each reported once.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { OpenCalls } from '../../live/open-calls.ts';
import type { ClaudeReporter } from './claude-reporter.ts';
import type { CallResult } from './tool-results.ts';

export type RunningCalls = ReturnType<typeof createRunningCalls>;

const MAX_RUNNING = 1000;

export function createRunningCalls(deps: { reporter: Pick<ClaudeReporter, 'report'>; calls: OpenCalls; now: () => number }) {
	const { reporter, calls, now } = deps;
	const releasedAt = new Map<string, number>();

	/** Undefined where the start was not seen. */
	function takeDuration(toolUseId: string): number | undefined {
		const since = releasedAt.get(toolUseId);
		releasedAt.delete(toolUseId);
		return since === undefined ? undefined : Math.max(0, now() - since);
	}

	return {
		/** Allowed, possibly with a changed input. */
		release(toolUseId: string, input?: ToolInput): void {
			const call = calls.find(toolUseId);
			if (!call) return;
			if (input !== undefined) calls.open({ ...call, tool_input: input });
			releasedAt.set(toolUseId, now());
			const oldest = releasedAt.size > MAX_RUNNING ? releasedAt.keys().next().value : undefined;
			if (oldest !== undefined) releasedAt.delete(oldest);
		},
		/** A call that never ran is reported by its batch, as by Claude's hooks. */
		returned({ toolUseId, ran, failed, text, response }: CallResult): void {
			const call = calls.find(toolUseId);
			const duration_ms = takeDuration(toolUseId);
			if (!call || !ran) return;
			calls.observe('PostToolUse', call);
			if (failed) reporter.report('PostToolUseFailure', { ...call, error: text, is_interrupt: false, duration_ms });
			else reporter.report('PostToolUse', { ...call, tool_response: response, duration_ms });
		},
	};
}
