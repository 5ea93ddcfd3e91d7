// The heart of Roost: one input to a session in; the facts, asks and effects that follow from it out. No I/O, no clock.
// The caller owns the state; it advances in place, and only by the events that are returned.
import { AppError } from '@roost/protocol/app-error';
import type { Ask, AskState, AskVerdict, Principal } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { AskId } from '@roost/protocol/ids';
import { type ControllerResult, control } from '../controller/controller.ts';
import { type Fact, mapCut, mapDecision, mapEvent, mapFact, mapInterrupt } from '../feed/mapper.ts';
import { isSameJson } from '../feed/same-json.ts';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import { isHookName } from '../runtime/normal-form/hook-payloads.ts';
import { answeredElsewhere } from './answered-elsewhere.ts';
import { type PromptChange, refuseChange, toPromptUpdate } from './change-prompts.ts';
import { observeNativeId } from './native-id.ts';
import { type EarlierRequest, findEarlier, openAskOf } from './offered-again.ts';
import { findPassedCall } from './passed-calls.ts';
import type { SessionPolicy } from './policy.ts';
import { keepText } from './prompts.ts';
import { toRecordedDecision } from './recorded-decision.ts';
import { refuseAnswers } from './refuse-answers.ts';
import { toShownReport } from './shown-report.ts';
import { type OpenAsk, type SessionState, trackSession } from './state.ts';
import { toDecision, unaskable } from './verdicts.ts';

export type SessionInput =
	/** `at`: when it came, where that is later than the event says. */
	| { type: 'reported'; event: RuntimeEvent; at?: number }
	/** Somebody answered an ask. */
	| { type: 'answered'; askId: AskId; verdict: AskVerdict; principal: Principal; at: number }
	/** The runtime itself settled a request: its deadline passed, or the agent stopped waiting. */
	| { type: 'settled'; requestId: string; decision: RuntimeDecision; at: number }
	/** Something Roost has to say of the session. */
	| { type: 'noted'; fact: Fact; at: number }
	/** Somebody wants a prompt to wait, change, go or be gone. */
	| { type: 'prompts'; change: PromptChange; at: number }
	/** Somebody stopped its agent in its own terminal, and no hook tells. */
	| { type: 'interrupted'; reason: string; at: number }
	/** The agent's own dialog asks somebody, or no longer does, and no hook tells. */
	| { type: 'dialog'; isOpen: boolean; message: string; at: number }
	/** Its agent is gone without a word. */
	| { type: 'cut'; reason: string; at: number };

export type StepResult = {
	events: FeedEvent[];
	asks: AskChange[];
	effects: Effect[];
	/** Why an answer had no effect. */
	refused?: AppError;
};

/** An ask was opened, or closed by this decision. */
export type AskChange = {
	ask: Ask;
	state: AskState;
	decision?: RuntimeDecision;
	at: number;
	/** The tool and input as the agent reported them; the ask itself shows them redacted. */
	asked?: { tool: string; input: ToolInput };
};

export type Effect =
	/** `recorded`: a decision that must be on disk before the agent hears of it. */
	| { type: 'reply'; requestId: string; decision: RuntimeDecision; recorded: boolean }
	| { type: 'hold'; requestId: string; timeoutMs: number }
	| { type: 'summarise'; transcriptPath: string; isCounted: boolean }
	/** What was used so far: a turn has ended. */
	| { type: 'count'; transcriptPath: string };

export function step(state: SessionState, input: SessionInput, policy: SessionPolicy): StepResult {
	const result = nothing();
	switch (input.type) {
		case 'reported':
			take(state, input, policy, result);
			break;
		case 'answered':
			answer(state, input, policy, result);
			break;
		case 'settled':
			settle(state, input.requestId, input.decision, input.at, policy, result);
			break;
		case 'noted':
			note(state, input.fact, input.at, policy, result);
			break;
		case 'prompts':
			changePrompts(state, input.change, input.at, policy, result);
			break;
		case 'interrupted':
			interrupt(state, input.reason, input.at, policy, result);
			break;
		case 'dialog':
			noteDialog(state, input, policy, result);
			break;
		case 'cut':
			record(state, mapCut(state.feed, policy.redactor.redact(input.reason).value, input.at), result);
			break;
		default:
			assertNever(input);
	}
	return result;
}

function interrupt(state: SessionState, reason: string, at: number, policy: SessionPolicy, result: StepResult): void {
	closeAsks(state, { source: 'system', reason: 'the run was interrupted while this waited' }, at, policy, result);
	record(state, mapInterrupt(state.feed, reason, at), result);
}

type DialogInput = Extract<SessionInput, { type: 'dialog' }>;

function noteDialog(state: SessionState, { isOpen, message, at }: DialogInput, policy: SessionPolicy, result: StepResult): void {
	if (!isOpen) closeAsks(state, { source: 'terminal', reason: "answered in the agent's own dialog" }, at, policy, result);
	const data = { message, notification_type: 'own_dialog', own_dialog: isOpen };
	note(state, { kind: 'notification', data }, at, policy, result);
}

/** Nobody waits for them any more: where Roost is the gate, that is a denial. */
function closeAsks(
	state: SessionState,
	why: { source: RuntimeDecision['source']; reason: string },
	at: number,
	policy: SessionPolicy,
	result: StepResult,
): void {
	const decision = silence(policy.gate, why);
	for (const { requestId } of [...state.asks.values()]) {
		settle(state, requestId, decision, at, policy, result);
		result.effects.push({ type: 'reply', requestId, decision, recorded: false });
	}
}

/** A request of which everything is on record already adds nothing to it. */
function take(state: SessionState, input: Reported, policy: SessionPolicy, result: StepResult): void {
	const earlier = input.event.interaction.expectsDecision ? findEarlier(state, input.event.id) : null;
	if (earlier) takeAgain(state, input, earlier, policy, result);
	else report(state, input.event, policy, result);
}

type Reported = Extract<SessionInput, { type: 'reported' }>;

function takeAgain(
	state: SessionState,
	{ event, at = event.timestamp }: Reported,
	earlier: EarlierRequest,
	policy: SessionPolicy,
	result: StepResult,
): void {
	switch (earlier.type) {
		case 'decided': {
			const decision = toRecordedDecision(earlier.event, policy.gate);
			result.effects.push({ type: 'reply', requestId: event.id, decision, recorded: true });
			break;
		}
		case 'asked':
			result.effects.push({ type: 'hold', requestId: event.id, timeoutMs: timeLeft(earlier.open.ask, at) });
			break;
		case 'announced': {
			const ruling = control(event, { ...policy, questionHook: policy.capabilities.questionHook });
			// It was announced as a call that nobody is asked about: a rule made since then cannot open an ask for it.
			if (ruling.handled) reply(state, event, 'ask' in ruling ? unaskable(policy.gate) : ruling.decision, policy, result);
			break;
		}
		default:
			assertNever(earlier);
	}
}

/** The clock may have been set since: nobody waits longer than from the beginning. */
function timeLeft({ openedAt, expiresAt }: Ask, at: number): number {
	return Math.min(Math.max(0, expiresAt - at), expiresAt - openedAt);
}

/** What is decided is decided on the report itself; everything that is kept or shown is derived from its redacted form. */
function report(state: SessionState, event: RuntimeEvent, policy: SessionPolicy, result: StepResult): void {
	const shown = toShownReport(state.messages, event, policy.redactor);
	const native = observeNativeId(state.nativeId, shown, policy.capabilities.agent);
	if (native) note(state, native, event.timestamp, policy, result);

	const driven = policy.capabilities.takesPrompts;
	const passed = policy.gate === 'enforce' ? findPassedCall(state, shown, { driven }) : null;
	if (passed) settle(state, passed.requestId, passed.decision, event.timestamp, policy, result);

	const ruling = decideNow(control(event, { ...policy, questionHook: policy.capabilities.questionHook }), policy);
	const wanted = ruling.handled && 'ask' in ruling ? ruling.ask : undefined;
	const askMs = Math.min(policy.askTimeoutMs, event.interaction.longestMs ?? Number.POSITIVE_INFINITY);
	const ask = wanted && {
		id: nextAskId(state),
		reason: policy.redactor.redact(wanted.reason).value,
		risk: wanted.risk,
		expiresAt: event.timestamp + askMs,
	};
	const events = mapEvent(state.feed, shown, { ask, gate: driven ? undefined : policy.gate });

	const { closed, undecided } = answeredElsewhere(state.asks.values(), shown, events, policy.gate);
	record(state, events, result, wanted);
	for (const open of undecided) note(state, ranUndecided(open), event.timestamp, policy, result);
	for (const { open, decision } of closed) {
		settle(state, open.requestId, decision, event.timestamp, policy, result);
		// The agent no longer listens, but its request may still hang: let it go.
		result.effects.push({ type: 'reply', requestId: open.requestId, decision, recorded: false });
	}

	if (ask) result.effects.push({ type: 'hold', requestId: event.id, timeoutMs: askMs });
	if (ruling.handled && 'decision' in ruling) reply(state, event, ruling.decision, policy, result);
	const { transcriptPath } = event.context;
	// An agent that is driven says itself what it used, also what its transcript does not hold: two counts would contradict each other.
	const isCounted = !driven;
	if (transcriptPath && event.hookName === 'SessionEnd') result.effects.push({ type: 'summarise', transcriptPath, isCounted });
	if (transcriptPath && isCounted && endsTurn(event)) result.effects.push({ type: 'count', transcriptPath });
}

function ranUndecided({ ask }: OpenAsk): Fact {
	const message = `The agent reported a result of ${ask.tool} while request ${ask.id} was still pending: the call ran without a decision.`;
	return { kind: 'runtime.error', data: { code: 'ran_undecided', message } };
}

function endsTurn({ hookName }: RuntimeEvent): boolean {
	return hookName === 'Stop' || hookName === 'StopFailure';
}

function note(state: SessionState, fact: Fact, at: number, policy: SessionPolicy, result: StepResult): void {
	if (fact.kind === 'usage.update' && isSameJson(fact.data.by_model, state.usage)) return;
	record(state, [mapFact(state.feed, policy.redactor.redact(fact).value, at)], result);
}

function changePrompts(state: SessionState, change: PromptChange, at: number, policy: SessionPolicy, result: StepResult): void {
	const refused = refuseChange(state.prompts, change);
	if (refused) {
		result.refused = refused;
		return;
	}
	note(state, { kind: 'prompt.update', data: toPromptUpdate(change) }, at, policy, result);
	// The record has it without its secrets; the agent gets what was written.
	if ('text' in change) keepText(state.prompts, change.id, change.text);
}

/**
 * What is left to say when a step itself failed: a fact, and a waiting agent let go as its gate says.
 * Nothing of the input or of the error's own text is in it: redaction may be what failed.
 */
export function stepAfterBug(state: SessionState, input: SessionInput, gate: GateMode, bug: unknown, at: number): StepResult {
	const result = nothing();
	const data = {
		code: 'internal',
		message: `Could not process ${nameOf(input)} (${errorName(bug)}). Its content was not recorded.`,
	};
	try {
		record(state, [mapFact(state.feed, { kind: 'runtime.error', data }, at)], result);
	} catch {
		// Not even the fact could be made: the agent is still answered.
	}
	if (input.type !== 'reported') return result;
	const decision = silence(gate, { source: 'system', reason: 'Roost could not process this request' });
	result.effects.push({ type: 'reply', requestId: input.event.id, decision, recorded: false });
	return result;
}

/** Only names that Roost itself knows. */
function nameOf(input: SessionInput): string {
	if (input.type !== 'reported') return `an input of type ${input.type}`;
	return isHookName(input.event.hookName) ? `a ${input.event.hookName} report` : 'a report of an unknown kind';
}

function errorName(bug: unknown): string {
	if (bug instanceof RangeError) return 'RangeError';
	return bug instanceof TypeError ? 'TypeError' : 'Error';
}

function nothing(): StepResult {
	return { events: [], asks: [], effects: [] };
}

/** Where nobody could answer, an ask would only make the agent wait. */
function decideNow(ruling: ControllerResult, policy: SessionPolicy): ControllerResult {
	if (policy.askTimeoutMs > 0 || !ruling.handled || !('ask' in ruling)) return ruling;
	return { handled: true, decision: unaskable(policy.gate) };
}

function reply(
	state: SessionState,
	event: RuntimeEvent,
	decision: RuntimeDecision,
	policy: SessionPolicy,
	result: StepResult,
): void {
	const fact = mapDecision(state.feed, event.id, policy.redactor.redact(decision).value, event.timestamp);
	if (fact) record(state, [fact], result);
	result.effects.push({ type: 'reply', requestId: event.id, decision, recorded: fact !== null });
}

function answer(
	state: SessionState,
	input: Extract<SessionInput, { type: 'answered' }>,
	policy: SessionPolicy,
	result: StepResult,
): void {
	const open = state.asks.get(input.askId);
	if (!open) {
		result.refused = new AppError('conflict', `Ask ${input.askId} is not open: it was answered, cancelled or has expired.`);
		return;
	}
	const decision = toDecision(open.ask, input.verdict, input.principal);
	if (!decision) {
		result.refused = new AppError('bad_request', `A ${open.ask.kind} cannot be answered with "${input.verdict.type}".`);
		return;
	}
	const refused = input.verdict.type === 'answer' ? refuseAnswers(open.ask, Object.keys(input.verdict.answers)) : null;
	if (refused) {
		result.refused = refused;
		return;
	}
	settle(state, open.requestId, decision, input.at, policy, result);
	result.effects.push({ type: 'reply', requestId: open.requestId, decision, recorded: true });
}

/** Records what became of a request and closes its ask; a request that is settled already stays as it is. */
function settle(
	state: SessionState,
	requestId: string,
	wanted: RuntimeDecision,
	at: number,
	{ redactor }: SessionPolicy,
	result: StepResult,
): void {
	const open = openAskOf(state, requestId);
	const decision = redactor.redact(wanted).value;
	const fact = mapDecision(state.feed, requestId, open ? { ...decision, askId: open.ask.id } : decision, at);
	if (!fact) return;
	record(state, [fact], result);
	if (open) result.asks.push({ ask: open.ask, state: closedState(decision), decision, at });
}

/** `asked`: what an ask that is opened is really about; its hash is bound to that. */
function record(state: SessionState, events: readonly FeedEvent[], result: StepResult, asked?: AskChange['asked']): void {
	for (const event of events) {
		trackSession(state, event);
		result.events.push(event);
		const opened = event.kind === 'permission.request' || event.kind === 'question.request' ? event.data.ask_id : undefined;
		const ask = opened && state.asks.get(opened)?.ask;
		if (ask) result.asks.push({ ask, state: 'pending', at: event.ts, ...(asked && { asked }) });
	}
}

export function closedState({ source, verdict }: Pick<RuntimeDecision, 'source' | 'verdict'>): AskState {
	switch (source) {
		case 'timeout':
			return 'expired';
		case 'terminal':
			return 'answered-elsewhere';
		case 'system':
			return 'cancelled';
		case 'rule':
		case 'user':
			if (verdict.type === 'answer') return 'answered';
			return verdict.type === 'allow' ? 'allowed' : 'denied';
		default:
			return assertNever(source);
	}
}

/** Short enough to type, unique without randomness. */
function nextAskId(state: SessionState): AskId {
	return `${state.sessionId}.${state.asksOpened + 1}` as AskId;
}
