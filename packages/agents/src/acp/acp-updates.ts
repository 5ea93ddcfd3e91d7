// What an ACP agent tells while it works → the normal form. What is not known is kept as it came.
import { ZodError } from 'zod';
import type { EventReporter } from '../live/event-reporter.ts';
import type { SaidPieces } from '../live/said-pieces.ts';
import type { AcpCalls } from './acp-calls.ts';
import { type AcpUpdate, planned, spoken, toolCall } from './acp-messages.ts';

export type AcpUpdates = {
	take(update: AcpUpdate): void;
	/** What is being said is complete. */
	closeMessage(): void;
};

type Deps = { reporter: EventReporter; said: SaidPieces; calls: AcpCalls; newId: () => string };

/** What there is no word for in the feed, or what Roost asks for itself where it needs it. */
const UNTOLD: ReadonlySet<string> = new Set([
	'agent_thought_chunk',
	'user_message_chunk',
	'available_commands_update',
	'current_mode_update',
	'config_option_update',
	'session_info_update',
	'usage_update',
]);

export function createAcpUpdates({ reporter, said, calls, newId }: Deps): AcpUpdates {
	let messageId: string | undefined;

	function closeMessage(): void {
		if (messageId !== undefined) said.finish(messageId);
		messageId = undefined;
	}

	function speak(update: AcpUpdate): void {
		const { text } = spoken.parse(update.content);
		messageId ??= newId();
		said.add(messageId, text ?? '');
	}

	function begin(update: AcpUpdate): void {
		closeMessage();
		calls.begun(toolCall.parse(update));
	}

	/** A plan is a list of what is to be done, as other agents keep it with a tool. */
	function reportPlan(update: AcpUpdate): void {
		const { entries } = planned.parse(update);
		const todos = entries.map(({ content, status }) => ({ content, status, activeForm: content }));
		const call = { tool_name: 'TodoWrite', tool_input: { todos }, tool_use_id: newId(), native_tool_name: 'plan' };
		reporter.report('PreToolUse', call);
		reporter.report('PostToolUse', { ...call, tool_response: null });
	}

	const told: ReadonlyMap<string, (update: AcpUpdate) => void> = new Map([
		['agent_message_chunk', speak],
		['tool_call', begin],
		['tool_call_update', (update: AcpUpdate) => calls.went(toolCall.parse(update))],
		['plan', reportPlan],
	]);

	return {
		take(update) {
			const kind = update.sessionUpdate;
			if (UNTOLD.has(kind)) return;
			const keep = () => reporter.relay(`acp:${kind.slice(0, 60)}`, { ...update });
			try {
				(told.get(kind) ?? keep)(update);
			} catch (cause) {
				// Of a shape that nobody knows: kept, and no reason to stop.
				if (!(cause instanceof ZodError)) throw cause;
				keep();
			}
		},
		closeMessage,
	};
}
