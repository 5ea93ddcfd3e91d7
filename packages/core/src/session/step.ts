// The session step: one input in; the facts, asks and effects that follow from it out. No I/O, no clock.
// The caller owns the state; it advances in place, and only by the events that are returned.
import { AppError } from '@roost/protocol/app-error';
import type { Ask, AskState, AskVerdict, Principal } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { AskId } from '@roost/protocol/ids';
import { type ControllerResult, control } from '../controller/controller.ts';
import { type Fact, mapCut, mapDecision, mapEvent, mapFact, mapInterrupt } from '../feed/mapper.ts';
import { isSameJson } from '../feed/same-json.ts';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import { isHookName } from '../runtime/normal-form/hook-payloads.ts';
import { refuseAnswers, toDecision, unaskable } from './answers.ts';
import type { SessionPolicy } from './policy.ts';
import { keepText, type PromptChange, refuseChange, toPromptUpdate, withReview } from './prompts.ts';
import { closedState, toRecordedDecision } from './recorded-decision.ts';
import { answeredElsewhere, type EarlierRequest, findEarlier, findPassedCall, openAskOf } from './requests.ts';
import { toShownReport } from './shown-report.ts';
import { type OpenAsk, type SessionState, trackSession } from './state.ts';

export type SessionInput =
	/** `at`: when it came, where that is later than the event says. */
	| { type: 'reported'; event: RuntimeEvent; at?: number }
	/** An ask was answered. `signed`: through a hub, by a device. */
	| { type: 'answered'; askId: AskId; verdict: AskVerdict; principal: Principal; at: number; signed?: CommandProof | undefined }
	/** The runtime itself settled a request: its deadline passed, or the agent stopped waiting. */
	| { type: 'settled'; requestId: string; decision: RuntimeDecision; at: number }
	/** A fact of Roost's own about the session. */
	| { type: 'noted'; fact: Fact; at: number }
	/** A change to its prompt queue. */
	| { type: 'prompts'; change: PromptChange; at: number; signed?: CommandProof | undefined }
	/** The run was interrupted in the agent's own terminal, which no hook reports. */
	| { type: 'interrupted'; reason: string; at: number }
	/** The agent's own dialog was opened or closed, which no hook reports. */
	| { type: 'dialog'; isOpen: boolean; message: string; at: number }
	/** Its agent exited without reporting it. */
	| { type: 'cut'; reason: string; at: number };

type Input<Type extends SessionInput['type']> = Extract<SessionInput, { type: Type }>;

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
	/** `recorded`: a decision that must be on disk before the agent gets it. */
	| { type: 'reply'; requestId: string; decision: RuntimeDecision; recorded: boolean }
	| { type: 'hold'; requestId: string; timeoutMs: number }
	| { type: 'summarise'; transcriptPath: string; isCounted: boolean }
	/** Count the usage so far: a turn has ended. */
	| { type: 'count'; transcriptPath: string };

/** The current step: its inputs and its result so far. */
type Step = { readonly state: SessionState; readonly policy: SessionPolicy; readonly result: StepResult };

export function step(state: SessionState, input: SessionInput, policy: SessionPolicy): StepResult {
	const result: StepResult = { events: [], asks: [], effects: [] };
	const current: Step = { state, policy, result };
	switch (input.type) {
		case 'reported':
			take(current, input);
			break;
		case 'answered':
			answer(current, input);
			break;
		case 'settled':
			settle(current, input.requestId, input.decision, input.at);
			break;
		case 'noted':
			note(current, input.fact, input.at);
			break;
		case 'prompts':
			changePrompts(current, input);
			break;
		case 'interrupted':
			closeAsks(current, { source: 'system', reason: 'the run was interrupted while this waited' }, input.at);
			record(current, mapInterrupt(state.feed, input.reason, input.at));
			break;
		case 'dialog':
			noteDialog(current, input);
			break;
		case 'cut':
			record(current, mapCut(state.feed, policy.redactor.redact(input.reason).value, input.at));
			break;
		default:
			assertNever(input);
	}
	return result;
}

function noteDialog(current: Step, { isOpen, message, at }: Input<'dialog'>): void {
	if (!isOpen) closeAsks(current, { source: 'terminal', reason: "answered in the agent's own dialog" }, at);
	note(current, { kind: 'notification', data: { message, notification_type: 'own_dialog', own_dialog: isOpen } }, at);
}

/** Closes every open ask without a decision, which is a denial in enforce mode. */
function closeAsks(current: Step, why: { source: RuntimeDecision['source']; reason: string }, at: number): void {
	const decision = silence(current.policy.gate, why);
	for (const { requestId } of [...current.state.asks.values()]) closeRequest(current, requestId, decision, at);
}

/** The agent may no longer wait for the request, but its hook may: it gets a reply in any case. */
function closeRequest(current: Step, requestId: string, decision: RuntimeDecision, at: number): void {
	settle(current, requestId, decision, at);
	current.result.effects.push({ type: 'reply', requestId, decision, recorded: false });
}

/** A request that is on record already adds no facts. */
function take(current: Step, input: Input<'reported'>): void {
	const earlier = input.event.interaction.expectsDecision ? findEarlier(current.state, input.event.id) : null;
	if (earlier) takeAgain(current, input, earlier);
	else report(current, input.event);
}

function takeAgain(current: Step, { event, at = event.timestamp }: Input<'reported'>, earlier: EarlierRequest): void {
	const { effects } = current.result;
	const { gate } = current.policy;
	switch (earlier.type) {
		case 'decided':
			effects.push({ type: 'reply', requestId: event.id, decision: toRecordedDecision(earlier.event, gate), recorded: true });
			break;
		case 'asked':
			effects.push({ type: 'hold', requestId: event.id, timeoutMs: timeLeft(earlier.open.ask, at) });
			break;
		case 'announced': {
			const ruling = rule(event, current.policy);
			// It was announced as a call without an ask: a rule made since then cannot open one.
			if (ruling.handled) reply(current, event, 'ask' in ruling ? unaskable(gate) : ruling.decision);
			break;
		}
		default:
			assertNever(earlier);
	}
}

function rule(event: RuntimeEvent, policy: SessionPolicy): ControllerResult {
	const { questionHook, allowHook } = policy.capabilities;
	return control(event, { ...policy, questionHook, allowHook });
}

/** The clock may have been changed since: an ask never waits longer than it was opened for. */
function timeLeft({ openedAt, expiresAt }: Ask, at: number): number {
	return Math.min(Math.max(0, expiresAt - at), expiresAt - openedAt);
}

/** Decisions are made on the report itself; everything that is kept or shown is derived from its redacted form. */
function report(current: Step, event: RuntimeEvent): void {
	const { state, policy, result } = current;
	const at = event.timestamp;
	const shown = toShownReport(state.messages, event, policy.redactor);
	noteNativeId(current, shown);

	const driven = policy.capabilities.takesPrompts;
	const passed = policy.gate === 'enforce' ? findPassedCall(state, shown, { driven }) : null;
	if (passed) settle(current, passed.requestId, passed.decision, at);

	const ruling = decideNow(rule(event, policy), policy);
	const wanted = ruling.handled && 'ask' in ruling ? ruling.ask : undefined;
	const askMs = Math.min(policy.askTimeoutMs, event.interaction.longestMs ?? Number.POSITIVE_INFINITY);
	const ask = wanted && {
		id: nextAskId(state),
		reason: policy.redactor.redact(wanted.reason).value,
		risk: wanted.risk,
		expiresAt: at + askMs,
	};
	const mapped = mapEvent(state.feed, shown, { ask, gate: driven ? undefined : policy.gate });
	const events = mapped.map((fact) => withReview(state.prompts, fact));

	const { closed, undecided } = answeredElsewhere(state.asks.values(), shown, events, policy.gate);
	record(current, events, wanted);
	for (const open of undecided) note(current, ranUndecided(open), at);
	for (const { open, decision } of closed) closeRequest(current, open.requestId, decision, at);

	if (ask) result.effects.push({ type: 'hold', requestId: event.id, timeoutMs: askMs });
	if (ruling.handled && 'decision' in ruling) reply(current, event, ruling.decision);
	readTranscript(current, event);
}

/** A driven agent reports its usage itself, also usage that its transcript does not hold: two counts would contradict each other. */
function readTranscript({ policy, result }: Step, { hookName, context: { transcriptPath } }: RuntimeEvent): void {
	const isCounted = !policy.capabilities.takesPrompts;
	const endsTurn = hookName === 'Stop' || hookName === 'StopFailure';
	if (transcriptPath && hookName === 'SessionEnd') result.effects.push({ type: 'summarise', transcriptPath, isCounted });
	if (transcriptPath && isCounted && endsTurn) result.effects.push({ type: 'count', transcriptPath });
}

/** Records when the agent's own id of the session changes. */
function noteNativeId(current: Step, event: RuntimeEvent): void {
	const { nativeId: known } = current.state;
	if (!event.sessionId || event.sessionId === known) return;
	const { agent } = current.policy.capabilities;
	const reason = event.unread === undefined && event.hookName === 'SessionStart' ? event.payload.source : 'startup';
	const data = { agent, native_id: event.sessionId, reason, parent_native_id: known ?? undefined };
	note(current, { kind: 'session.native', data }, event.timestamp);
}

function ranUndecided({ ask }: OpenAsk): Fact {
	const message = `The agent reported a result of ${ask.tool} while request ${ask.id} was still pending: the call ran without a decision.`;
	return { kind: 'runtime.error', data: { code: 'ran_undecided', message } };
}

function note(current: Step, fact: Fact, at: number): void {
	const { state, policy } = current;
	if (fact.kind === 'usage.update' && isSameJson(fact.data.by_model, state.usage)) return;
	record(current, [mapFact(state.feed, policy.redactor.redact(fact).value, at)]);
}

function changePrompts(current: Step, { change, at, signed }: Input<'prompts'>): void {
	const { state, result, policy } = current;
	const refused = refuseChange(state.prompts, change);
	if (refused) {
		result.refused = refused;
		return;
	}
	const data = policy.redactor.redact(toPromptUpdate(change)).value;
	// A signature looks like a secret, and is none.
	const proof = signed && 'text' in change ? { signed } : {};
	record(current, [mapFact(state.feed, { kind: 'prompt.update', data: { ...data, ...proof } }, at)]);
	// The record holds it redacted; the agent gets the original.
	if ('text' in change) keepText(state.prompts, change.id, change.text);
}

/**
 * The result where a step itself failed: a fact, and a reply to a waiting agent as its gate says.
 * It holds nothing of the input or of the error's own text: redaction itself may have failed.
 */
export function stepAfterBug(state: SessionState, input: SessionInput, gate: GateMode, bug: unknown, at: number): StepResult {
	const result: StepResult = { events: [], asks: [], effects: [] };
	const message = `Could not process ${nameOf(input)} (${errorName(bug)}). Its content was not recorded.`;
	try {
		const fact = mapFact(state.feed, { kind: 'runtime.error', data: { code: 'internal', message } }, at);
		trackSession(state, fact);
		result.events.push(fact);
	} catch {
		// Not even the fact could be made: the agent still gets a reply.
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

/** Without a face to answer it, an ask would only make the agent wait. */
function decideNow(ruling: ControllerResult, policy: SessionPolicy): ControllerResult {
	if (policy.askTimeoutMs > 0 || !ruling.handled || !('ask' in ruling)) return ruling;
	return { handled: true, decision: unaskable(policy.gate) };
}

function reply(current: Step, event: RuntimeEvent, decision: RuntimeDecision): void {
	const { state, policy, result } = current;
	const fact = mapDecision(state.feed, event.id, policy.redactor.redact(decision).value, event.timestamp);
	if (fact) record(current, [fact]);
	result.effects.push({ type: 'reply', requestId: event.id, decision, recorded: fact !== null });
}

function answer(current: Step, { askId, verdict, principal, at, signed }: Input<'answered'>): void {
	const { state, result } = current;
	const open = state.asks.get(askId);
	const decision = open && toDecision(open.ask, verdict, principal);
	if (!open) result.refused = new AppError('conflict', `Ask ${askId} is not open: it was answered, cancelled or has expired.`);
	else if (!decision)
		result.refused = new AppError('bad_request', `A ${open.ask.kind} cannot be answered with "${verdict.type}".`);
	else {
		const refused = verdict.type === 'answer' ? refuseAnswers(open.ask, Object.keys(verdict.answers)) : null;
		if (refused) {
			result.refused = refused;
			return;
		}
		settle(current, open.requestId, decision, at, signed);
		result.effects.push({ type: 'reply', requestId: open.requestId, decision, recorded: true });
	}
}

/** Records the outcome of a request and closes its ask; a request that is settled already stays as it is. */
function settle(current: Step, requestId: string, wanted: RuntimeDecision, at: number, signed?: CommandProof): void {
	const { state, policy, result } = current;
	const open = openAskOf(state, requestId);
	const decision = { ...policy.redactor.redact(wanted).value, signed };
	const fact = mapDecision(state.feed, requestId, open ? { ...decision, askId: open.ask.id } : decision, at);
	if (!fact) return;
	record(current, [fact]);
	if (open) result.asks.push({ ask: open.ask, state: closedState(decision), decision, at });
}

/** `asked`: the call of an ask that is opened, before redaction; the ask's hash is bound to it. */
function record({ state, result }: Step, events: readonly FeedEvent[], asked?: AskChange['asked']): void {
	for (const event of events) {
		trackSession(state, event);
		result.events.push(event);
		const opened = event.kind === 'permission.request' || event.kind === 'question.request' ? event.data.ask_id : undefined;
		const ask = opened && state.asks.get(opened)?.ask;
		if (ask) result.asks.push({ ask, state: 'pending', at: event.ts, ...(asked && { asked }) });
	}
}

/** Short enough to type, unique without randomness. */
function nextAskId(state: SessionState): AskId {
	return `${state.sessionId}.${state.asksOpened + 1}` as AskId;
}
