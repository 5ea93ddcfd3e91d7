// The common part of every Runtime: listeners, pending events, deadlines, and one answer for each event.
import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import { RUNTIME_ERROR, type RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Runtime, RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createRecentIds } from './recent-ids.ts';

export type RuntimeCore = {
	readonly runtime: Runtime;
	/** Notifies the listeners; `answer` is called exactly once unless the caller abandons the wait. */
	offer(event: RuntimeEvent, answer: (decision: RuntimeDecision) => void): Result<Wait>;
	/** Records a failure. */
	report(failure: RuntimeFailure): void;
};

export type Wait = { abandon(): void };

export type RuntimeFailure = { code: string; message: string; detail?: string | undefined };

export type RuntimeCoreDeps = {
	capabilities: RuntimeCapabilities;
	gate: GateMode;
	timers: Timers;
	now: () => number;
	newId: () => string;
	/** Replaces a decision that the agent does not support at this hook. */
	fit?: (event: RuntimeEvent, decision: RuntimeDecision) => RuntimeDecision;
	onStart?: () => void;
	onStop?: () => void;
	limits?: Partial<CoreLimits>;
	/** The agent's own timeout for a decision. */
	longestMs?: number | undefined;
};

type CoreLimits = { maxPending: number; rememberedIds: number };

const DEFAULT_LIMITS: CoreLimits = { maxPending: 1024, rememberedIds: 4096 };
const DEFAULT_DEADLINE_MS = 4000;

type Pending = { event: RuntimeEvent; answer: (decision: RuntimeDecision) => void; cancelDeadline: () => void };

export function createRuntimeCore(deps: RuntimeCoreDeps): RuntimeCore {
	const { gate, timers, now, newId } = deps;
	const limits = { ...DEFAULT_LIMITS, ...deps.limits };
	const fit = deps.fit ?? ((_event: RuntimeEvent, decision: RuntimeDecision) => decision);
	const eventListeners = createListeners<[RuntimeEvent]>();
	const decisionListeners = createListeners<[string, RuntimeDecision]>();
	const pending = new Map<string, Pending>();
	const settled = createRecentIds(limits.rememberedIds);
	let status: 'stopped' | 'running' = 'stopped';
	let sessionId = '';

	const runtime: Runtime = {
		capabilities: deps.capabilities,
		start() {
			if (status === 'running') return;
			status = 'running';
			deps.onStart?.();
		},
		stop() {
			if (status === 'stopped') return;
			status = 'stopped';
			deps.onStop?.();
			for (const id of [...pending.keys()])
				settle(id, silence(gate, { source: 'system', reason: 'Roost stopped before this was decided' }));
		},
		getStatus: () => status,
		onEvent: eventListeners.add,
		onDecision: decisionListeners.add,
		sendDecision(eventId, decision) {
			if (settle(eventId, decision)) return;
			report({
				code: 'late_decision',
				message: 'a decision arrived for an event that is no longer pending',
				detail: eventId,
			});
		},
		hold(eventId, timeoutMs) {
			const entry = pending.get(eventId);
			if (entry?.event.interaction.expectsDecision) setDeadline(entry, timeoutMs);
		},
	};

	return { runtime, offer, report };

	function offer(offered: RuntimeEvent, answer: (decision: RuntimeDecision) => void): Result<Wait> {
		const event = withLongest(offered, deps.longestMs);
		if (pending.has(event.id) || settled.has(event.id)) {
			return err(new AppError('duplicate_event', `the request id ${event.id} was used before`));
		}
		if (pending.size >= limits.maxPending) return err(new AppError('too_large', 'too many requests are waiting for a decision'));
		sessionId = event.sessionId || sessionId;
		const entry: Pending = { event, answer, cancelDeadline: () => {} };
		pending.set(event.id, entry);
		if (status === 'stopped' || eventListeners.size() === 0) {
			settle(event.id, nobodyListens(event));
			return ok({ abandon: () => {} });
		}
		// Before the listeners run: they may decide or hold at once.
		if (event.interaction.expectsDecision) setDeadline(entry, event.interaction.defaultTimeoutMs ?? DEFAULT_DEADLINE_MS);
		emit(event);
		if (!event.interaction.expectsDecision) settle(event.id, NO_OPINION);
		return ok({ abandon: () => abandon(event.id) });
	}

	function nobodyListens(event: RuntimeEvent): RuntimeDecision {
		return event.interaction.expectsDecision ? silence(gate, { source: 'system', reason: 'Roost is not listening' }) : NO_OPINION;
	}

	function setDeadline(entry: Pending, ms: number): void {
		entry.cancelDeadline();
		entry.cancelDeadline = timers.after(ms, () => {
			settle(entry.event.id, silence(gate, { source: 'timeout', reason: 'nobody answered in time' }));
		});
	}

	function abandon(id: string): void {
		const entry = pending.get(id);
		if (!entry) return;
		entry.answer = () => {};
		settle(id, { verdict: { type: 'none' }, source: 'system', reason: 'the agent stopped waiting' });
	}

	/** False without a pending event of that id: only the first decision counts. */
	function settle(id: string, wanted: RuntimeDecision): boolean {
		const entry = pending.get(id);
		if (!entry) return false;
		pending.delete(id);
		entry.cancelDeadline();
		settled.add(id);
		const decision = wanted === NO_OPINION ? wanted : fitSafely(entry.event, wanted);
		answerSafely(entry, decision);
		if (decision !== NO_OPINION) warnOf(decisionListeners.emit(id, decision));
		return true;
	}

	/** Timers and the disk settle too, where no caller could catch. */
	function fitSafely(event: RuntimeEvent, wanted: RuntimeDecision): RuntimeDecision {
		try {
			return fit(event, wanted);
		} catch {
			return silence(gate, { source: 'system', reason: 'Roost could not express the decision' });
		}
	}

	function answerSafely(entry: Pending, decision: RuntimeDecision): void {
		try {
			entry.answer(decision);
		} catch (error) {
			report({ code: 'internal', message: `The agent could not be answered (${kindOf(error)}).` });
		}
	}

	function report(failure: RuntimeFailure): void {
		if (status === 'stopped') return;
		warnOf(eventListeners.emit(failureEvent(failure, { id: newId(), timestamp: now(), sessionId })));
	}

	function emit(event: RuntimeEvent): void {
		for (const error of eventListeners.emit(event)) {
			report({
				code: 'internal',
				message: `A listener failed on ${event.hookName} (${kindOf(error)}).`,
				detail: event.id,
			});
		}
	}
}

function withLongest(event: RuntimeEvent, longestMs: number | undefined): RuntimeEvent {
	if (longestMs === undefined || !event.interaction.expectsDecision) return event;
	return { ...event, interaction: { ...event.interaction, longestMs } };
}

/** The reply to a report: not a decision, and not announced. */
const NO_OPINION: RuntimeDecision = { verdict: { type: 'none' }, source: 'system' };

function failureEvent(failure: RuntimeFailure, origin: Pick<RuntimeEvent, 'id' | 'timestamp' | 'sessionId'>): RuntimeEvent {
	return {
		...origin,
		hookName: RUNTIME_ERROR,
		context: { cwd: '', transcriptPath: '' },
		interaction: { expectsDecision: false, canBlock: false },
		payload: { ...failure },
	};
}

/** The recorder itself failed, so it cannot be recorded. */
function warnOf(errors: unknown[]): void {
	for (const error of errors) warnOfFailure('The listener of a runtime', error);
}

/** Without the error's message, which may contain what an agent reported. */
function kindOf(error: unknown): string {
	return error instanceof Error ? error.constructor.name : typeof error;
}
