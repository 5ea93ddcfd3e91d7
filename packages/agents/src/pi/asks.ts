// Requests from inside Pi: Roost's gate for every call, and dialogs of other extensions.
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBounded } from '../hooks/bounded-json.ts';
import type { GateVerdict, LiveCall } from '../live/gate.ts';
import type { LiveContext } from '../live/live-agent.ts';
import { GATE_TITLE, type GateAnswer } from './extension/shared.ts';
import { type PiDialog, YES } from './records.ts';
import type { PiRpc } from './rpc.ts';
import { type Place, toNativeInput, toNormalCall } from './tools.ts';

export type PiAsks = ReturnType<typeof createPiAsks>;

const gateCall = z.object({
	toolCallId: z.string(),
	toolName: z.string(),
	input: z.record(z.string(), z.unknown()),
	answer: z.string().optional(),
});

export function createPiAsks(deps: {
	live: Pick<LiveContext, 'reporter' | 'calls' | 'gate' | 'timers'>;
	rpc: Pick<PiRpc, 'notify'>;
	place: Place;
	/** The message that contains the call is complete. */
	onAnswer: (entryId: string | undefined) => void;
}) {
	const { reporter, calls, gate, timers } = deps.live;
	let waiting = new AbortController();

	function reply(id: string, answer: JsonObject): void {
		deps.rpc.notify({ type: 'extension_ui_response', id, ...answer });
	}

	async function judge(dialog: PiDialog): Promise<GateAnswer> {
		const parsed = gateCall.safeParse(parseBounded(dialog.detail ?? ''));
		if (!parsed.success) return { allowed: false, reason: 'Roost could not read this call.' };
		const { toolCallId, toolName, input, answer } = parsed.data;
		deps.onAnswer(answer);
		const normal = toNormalCall({ name: toolName, input }, deps.place);
		const call: LiveCall = { tool_use_id: toolCallId, ...normal, native_tool_name: toolName };
		const verdict = await gate.permit(call, waiting.signal);
		if (verdict.type === 'deny') return { allowed: false, reason: verdict.message };
		if (verdict.updatedInput) calls.open({ ...call, tool_input: verdict.updatedInput });
		// The judged paths are what runs.
		const native = toNativeInput(toolName, verdict.updatedInput ?? normal.tool_input, deps.place);
		return native
			? { allowed: true, input: native }
			: { allowed: false, reason: `${normal.tool_name} cannot be called like that.` };
	}

	async function put(dialog: PiDialog): Promise<JsonObject> {
		const question = dialog.method === 'confirm' && dialog.detail ? `${dialog.title}\n${dialog.detail}` : dialog.title;
		const options = dialog.options.map((label) => ({ label }));
		const call: LiveCall = {
			tool_use_id: dialog.id,
			tool_name: QUESTION_TOOL,
			tool_input: { questions: [{ question, header: 'Pi', multiSelect: false, options }] },
			native_tool_name: dialog.method,
			longest_ms: dialog.timeoutMs,
		};
		const patience = new AbortController();
		const forget = dialog.timeoutMs === undefined ? undefined : timers.after(dialog.timeoutMs, () => patience.abort());
		const verdict = await gate.permit(call, AbortSignal.any([waiting.signal, patience.signal]));
		forget?.();
		const value = answerIn(verdict, question);
		const error = verdict.type === 'deny' ? verdict.message : 'Nobody answered.';
		if (value === undefined) reporter.report('PostToolUseFailure', { ...call, error });
		else reporter.report('PostToolUse', { ...call, tool_response: value });
		calls.observe('PostToolUse', { ...call });
		return toReply(dialog, value);
	}

	return {
		receive(dialog: PiDialog): void {
			const isGate = dialog.method === 'input' && dialog.title === GATE_TITLE;
			const answered = isGate ? judge(dialog).then((answer) => ({ value: JSON.stringify(answer) })) : put(dialog);
			answered.then(
				(answer) => reply(dialog.id, answer),
				(error: unknown) => {
					// A bug must not block Pi or allow anything.
					reply(dialog.id, { cancelled: true });
					reporter.fail({ code: 'internal', message: `What Pi asked could not be answered: ${String(error)}` });
				},
			);
		},
		/** Cancels pending requests. */
		abandon(): void {
			waiting.abort();
			waiting = new AbortController();
		},
	};
}

function answerIn(verdict: GateVerdict, question: string): string | undefined {
	const answers = verdict.type === 'allow' ? verdict.updatedInput?.answers : undefined;
	const answer = isJsonObject(answers) ? answers[question] : undefined;
	return typeof answer === 'string' ? answer : undefined;
}

function toReply({ method, options }: PiDialog, value: string | undefined): JsonObject {
	if (value === undefined) return { cancelled: true };
	if (method === 'confirm') return { confirmed: value === YES };
	return method === 'select' && !options.includes(value) ? { cancelled: true } : { value };
}
