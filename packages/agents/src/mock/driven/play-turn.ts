// Plays one turn of the scripted agent step by step: messages, and calls through the gate.
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { MockReporter } from './open-mock-agent.ts';
import type { MockStep } from './turns.ts';

export type TurnStage = Pick<MockReporter, 'report' | 'ask'> & {
	after(ms: number, run: () => void): () => void;
	newId(): string;
};

export type TurnEnd = { type: 'completed'; text: string } | { type: 'interrupted' } | { type: 'failed'; error: string };

export type PlayedTurn = ReturnType<typeof playTurn>;

type CallStep = Extract<MockStep, { type: 'call' }>;
type OpenCall = { tool_name: string; tool_input: ToolInput; tool_use_id: string };

const PIECE_MS = 40;
const CALL_MS = 300;

export function playTurn(steps: readonly MockStep[], stage: TurnStage, ended: (end: TurnEnd) => void) {
	const rest = [...steps];
	let giveUp = () => {};
	let open: OpenCall | undefined;
	let text = '';
	later(PIECE_MS, next);

	return {
		/** Without reporting the end. */
		interrupt(): void {
			giveUp();
			if (open) stage.report('PostToolUseFailure', { ...open, error: 'interrupted', is_interrupt: true });
		},
		currentTool: () => open?.tool_name,
	};

	function later(ms: number, run: () => void): void {
		giveUp = stage.after(ms, run);
	}

	function next(): void {
		const step = rest.shift();
		if (step) play(step);
		else ended({ type: 'completed', text });
	}

	function play(step: MockStep): void {
		switch (step.type) {
			case 'say':
				say(step.text.match(/\S+\s*/g) ?? [], 0, stage.newId());
				break;
			case 'call':
				call(step);
				break;
			case 'question':
				call(toCall(step));
				break;
			case 'fail':
				ended({ type: 'failed', error: step.error });
				break;
			default:
				assertNever(step);
		}
	}

	function say(pieces: readonly string[], index: number, messageId: string): void {
		const final = index >= pieces.length - 1;
		text = index === 0 ? (pieces[0] ?? '') : text + pieces[index];
		stage.report('MessageDisplay', { message_id: messageId, index, final, delta: pieces[index] ?? '' });
		later(PIECE_MS, final ? next : () => say(pieces, index + 1, messageId));
	}

	/** Announced first, then with a permission request if needed. */
	function call(step: CallStep): void {
		open = { tool_name: step.tool, tool_input: step.input, tool_use_id: stage.newId() };
		request('PreToolUse', step, (decision) => {
			if (isAllowed(decision) || !step.asks) return later(CALL_MS, () => finish(step, decision));
			request('PermissionRequest', step, (permission) => {
				if (!isAllowed(permission)) return refuse(permission);
				later(CALL_MS, () => finish(step, permission));
			});
		});
	}

	function request(
		hookName: 'PreToolUse' | 'PermissionRequest',
		step: CallStep,
		proceed: (decision: RuntimeDecision) => void,
	): void {
		const payload = { tool_name: step.tool, tool_input: step.input, tool_use_id: open?.tool_use_id };
		let abandon = () => {};
		// Set first: the answer may come at once.
		giveUp = () => abandon();
		abandon = stage.ask(hookName, payload, (decision) => {
			// Like an agent: after all listeners were notified of the decision.
			later(0, () => (decision.verdict.type === 'deny' ? refuse(decision) : proceed(decision)));
		});
	}

	function finish(step: CallStep, decision: RuntimeDecision): void {
		const done = { tool_name: step.tool, tool_input: step.input, ...open, ...changedInput(decision) };
		open = undefined;
		if (step.error === undefined) stage.report('PostToolUse', { ...done, tool_response: responseTo(step, decision) });
		else stage.report('PostToolUseFailure', { ...done, error: step.error, is_interrupt: false });
		next();
	}

	/** The batch closes denied calls. */
	function refuse(decision: RuntimeDecision): void {
		const reason = reasonOf(decision);
		stage.report('PostToolBatch', { tool_calls: open ? [{ ...open, tool_response: reason }] : [] });
		const tool = open?.tool_name ?? '';
		open = undefined;
		rest.splice(0, rest.length, { type: 'say', text: `I was not allowed to use ${tool}: ${reason}.` });
		if (decision.verdict.type === 'deny' && decision.verdict.interrupt) ended({ type: 'interrupted' });
		else next();
	}
}

function toCall({ question, options }: Extract<MockStep, { type: 'question' }>): CallStep {
	const asked = { question, header: 'Choice', multiSelect: false, options: options.map((label) => ({ label })) };
	return { type: 'call', tool: 'AskUserQuestion', input: { questions: [asked] } };
}

function responseTo(step: CallStep, { verdict }: RuntimeDecision): unknown {
	return verdict.type === 'answer' ? { answers: verdict.answers } : (step.response ?? {});
}

function changedInput({ verdict }: RuntimeDecision): { tool_input?: ToolInput } {
	return verdict.type === 'allow' && verdict.updatedInput ? { tool_input: verdict.updatedInput } : {};
}

function isAllowed({ verdict }: RuntimeDecision): boolean {
	return verdict.type === 'allow' || verdict.type === 'answer';
}

function reasonOf({ verdict, reason }: RuntimeDecision): string {
	return verdict.type === 'deny' ? verdict.message : (reason ?? 'nobody allowed it');
}
