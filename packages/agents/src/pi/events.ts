// Events of a running Pi in the normal form: messages, calls and results, usage.
import { USAGE_REPORT } from '@roost/core/runtime/event';
import type { LiveContext } from '../live/live-agent.ts';
import type { OpenCall } from '../live/open-calls.ts';
import { createNotices, toTurnEnd } from './notices.ts';
import type { PiAnswer, PiCall, PiRecord } from './records.ts';
import type { SessionUsage } from './session-lines.ts';
import { type Place, toNormalCall } from './tools.ts';

export type PiEvents = ReturnType<typeof createPiEvents>;

export function createPiEvents(deps: {
	live: Pick<LiveContext, 'reporter' | 'calls' | 'said' | 'newId'>;
	place: Place;
	usage: SessionUsage;
	/** A call bypassed the gate. */
	breach: (tool: string) => void;
}) {
	const { reporter, calls, said, newId } = deps.live;
	const notices = createNotices(reporter);
	const begun = new Map<string, PiCall>();
	let current = newMessage(newId());
	let held: { id: string; text: string } | undefined;
	let last: PiAnswer | undefined;

	function answered(entryId: string | undefined): void {
		if (held) said.finish(held.id, held.text, entryId);
		held = undefined;
	}

	function hearPiece(index: number, delta: string): void {
		const gap = current.isSaid && index !== current.index ? '\n\n' : '';
		current = { ...current, index, isSaid: true };
		said.add(current.id, `${gap}${delta}`);
	}

	function hearAnswer(answer: PiAnswer): void {
		last = answer;
		// Its id follows: Pi stores a message after it has reported it.
		if (answer.text !== '') held = { id: current.id, text: answer.text };
		deps.usage.add(answer.model, answer.usage);
		reporter.report(USAGE_REPORT, { by_model: deps.usage.totals() });
	}

	function toPayload(call: PiCall): OpenCall {
		return { tool_use_id: call.id, ...toNormalCall(call, deps.place), native_tool_name: call.name };
	}

	function hearToolEnd(id: string, text: string, failed: boolean): void {
		const native = begun.get(id) ?? { id, name: 'unknown', input: {} };
		begun.delete(id);
		const announced = calls.find(id);
		if (!announced && !failed) {
			deps.breach(native.name);
			return;
		}
		const payload = announced ?? toPayload(native);
		// Pi rejects invalid calls by itself.
		if (!announced) reporter.report('PreToolUse', payload);
		if (failed) reporter.report('PostToolUseFailure', { ...payload, error: text || 'The tool failed.' });
		else reporter.report('PostToolUse', { ...payload, tool_response: text });
		calls.observe('PostToolUse', payload);
	}

	return {
		hear(record: PiRecord) {
			switch (record.type) {
				case 'answer-begun':
					answered(undefined);
					current = newMessage(newId());
					return;
				case 'said':
					return hearPiece(record.index, record.delta);
				case 'answer':
					return hearAnswer(record.answer);
				case 'tool-begun':
					return void begun.set(record.call.id, record.call);
				case 'tool-ended':
					return hearToolEnd(record.id, record.text, record.failed);
				case 'turn-ended':
					return answered(undefined);
				default:
					return notices.hear(record);
			}
		},
		/** Ends the message before, with its id if known. */
		answered,
		/** A prompt was sent. */
		begin(): void {
			last = undefined;
			begun.clear();
		},
		end: (interrupted: boolean) => toTurnEnd(last, interrupted),
	};
}

function newMessage(id: string): { id: string; index: number; isSaid: boolean } {
	return { id, index: 0, isSaid: false };
}
