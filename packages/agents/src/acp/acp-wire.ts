// The wire of one ACP agent: open, prompt, cancel; its permission requests go through the gate.
import { toSentence } from '@roost/core/display/sentence';
import type { DrivenRequest, ModelChoice, OutgoingPrompt } from '@roost/core/runtime/connection';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import type { ProcessEnd } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { LiveContext, Opened, Wire } from '../live/live-agent.ts';
import type { TurnEnd } from '../live/turns.ts';
import { type AcpCalls, createAcpCalls, createAcpUpdates } from './acp-calls.ts';
import {
	type AcpSession,
	type AcpUpdate,
	type AcpUsage,
	answerPermission,
	CANCELLED,
	createAcpUsage,
	type Initialized,
	type PermissionAnswer,
	permissionRequest,
	promptAnswer,
} from './acp-messages.ts';
import { type AcpLink, type OpenSession, openAcpLink, openSession } from './acp-session.ts';

type AcpWireDeps = {
	title: string;
	argv: readonly [string, ...string[]];
	env: Readonly<Record<string, string>>;
	request: DrivenRequest;
	extras: AcpExtras;
};

/** Beyond this the program does not speak the protocol. */
const MAX_GARBAGE = 100;

export function createAcpWire({ title, argv, env, request, extras }: AcpWireDeps, live: LiveContext): Wire {
	const { reporter, messages, turns, gate, timers, newId } = live;
	const calls = createAcpCalls({ reporter, calls: live.calls, gate, signal: () => turn?.cancelled.signal });
	const updates = createAcpUpdates({ reporter, messages, calls, newId });
	let link: AcpLink | undefined;
	let release = () => {};
	let session: OpenSession | undefined;
	/** Undefined for a resumed session: its earlier usage is unknown. */
	let usage: AcpUsage | undefined;
	let model = 'unknown';
	/** Updates during a resume repeat the old conversation. */
	let isListening = false;
	let garbage = 0;
	let isEnding = false;
	let turn: { over: Promise<void>; cancelled: AbortController } | undefined;

	async function open(): Promise<Result<Opened>> {
		const prepared = await extras.prepare(request, calls);
		if (!prepared.ok) return prepared;
		release = prepared.value.release;
		if (isEnding) return err(new AppError('agent_failed', 'it was closed'));
		const ended = Promise.withResolvers<Result<never>>();
		link = await openAcpLink({
			argv: [argv[0], ...argv.slice(1), ...prepared.value.argv],
			cwd: request.cwd,
			env: { ...env, ...prepared.value.env },
			timers,
			onSpawned: request.onSpawned,
			onUpdate: (news) => isListening && takeNews(news),
			onPermission: permission,
			onUnknown: (method, params) => reporter.relay(`AcpNotice:${method}`, params),
			onGarbage: reportGarbage,
			onEnd(end) {
				release();
				const why = toExitReason(title, end, link?.complaint() ?? '');
				ended.resolve(err(new AppError('agent_failed', why)));
				if (session) live.finish(why);
			},
		});
		if (isEnding) link.end(0);
		const begun = await Promise.race([openSession(link, { title, request, accept: extras.accept }), ended.promise]);
		if (!begun.ok) return await sayBest(begun, ended.promise);
		session = begun.value;
		if (!request.resume && !extras.reportsUsage) usage = createAcpUsage(session.known.countsSession ? 'session' : 'turn');
		model = request.model ?? modelOf(session) ?? model;
		isListening = true;
		return ok(extras.describe(session.sessionId, request));
	}

	/** If the process exits, its exit reason says more than the failed request. */
	async function sayBest(failed: Result<never>, ended: Promise<Result<never>>): Promise<Result<never>> {
		const waited = Promise.withResolvers<Result<never>>();
		const forget = timers.after(LAST_WORDS_MS, () => waited.resolve(failed));
		const reason = await Promise.race([ended, waited.promise]);
		forget();
		return reason;
	}

	function takeNews(news: AcpUpdate): void {
		updates.take(news);
		if (news.sessionUpdate === 'tool_call') extras.callBegan();
	}

	function reportGarbage(head: string): void {
		garbage++;
		if (garbage === 1)
			reporter.fail({ code: 'bad_output', message: `${title} wrote a line that is not part of its protocol.`, detail: head });
		if (garbage === MAX_GARBAGE) live.finish(`${title} does not speak the Agent Client Protocol here: "${head.slice(0, 80)}".`);
	}

	/** Fails closed: an unreadable request is not allowed. */
	async function permission(params: unknown): Promise<PermissionAnswer> {
		const asked = permissionRequest.safeParse(params);
		if (!asked.success || !turn || turn.cancelled.signal.aborted) return CANCELLED;
		const { signal } = turn.cancelled;
		updates.closeMessage();
		const verdict = await calls.permit(asked.data.toolCall, signal);
		if (signal.aborted) return CANCELLED;
		const { answer, refusal } = answerPermission(verdict, asked.data.options);
		if (refusal !== undefined) reporter.fail({ code: 'bad_request', message: refusal });
		return answer;
	}

	async function play({ text }: OutgoingPrompt, sessionId: string): Promise<TurnEnd> {
		const refusal = extras.refusePrompt(text);
		if (refusal !== null) return { type: 'failed', error: 'refused', why: refusal };
		const answered = await link?.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
		updates.closeMessage();
		if (!answered?.ok)
			return {
				type: 'failed',
				error: 'agent_error',
				why: `${title} failed: ${answered?.error.message ?? 'it has ended'}`,
			};
		const parsed = promptAnswer.safeParse(answered.value);
		if (usage && parsed.data?.usage) reporter.report(USAGE_REPORT, { by_model: usage.add(model, parsed.data.usage) });
		const end = parsed.success ? toTurnEnd(title, parsed.data.stopReason) : undefined;
		const why = `${title} did not report how its turn ended.`;
		return await extras.afterTurn(sessionId, end ?? { type: 'failed', error: 'bad_output', why });
	}

	return {
		open,
		prompt(prompt) {
			if (!session) return;
			const cancelled = new AbortController();
			const over = play(prompt, session.sessionId).then((how) => {
				turn = undefined;
				// The exit is reported instead.
				if (isEnding || reporter.runtime.getStatus() === 'stopped') return;
				calls.forget();
				turns.end(cancelled.signal.aborted ? { type: 'interrupted' } : how);
			});
			turn = { over, cancelled };
		},
		// Not supported by the protocol.
		steer: async () => false,
		async interrupt() {
			if (!turn || !session) return;
			turn.cancelled.abort();
			link?.notify('session/cancel', { sessionId: session.sessionId });
			await turn.over;
		},
		models: async () => (session ? modelsOf(session) : null),
		async setModel(wanted) {
			const set = session && link ? await chooseModel(link, session, wanted) : false;
			if (set) model = wanted;
			else
				reporter.fail({
					code: 'bad_request',
					message: `${title} does not let its model be changed to "${wanted}" while it runs.`,
				});
			return set;
		},
		modeChanged() {},
		end(graceMs) {
			isEnding = true;
			link?.end(graceMs);
			if (!link) release();
		},
	};
}

const LAST_WORDS_MS = 300;

function toTurnEnd(title: string, stopReason: string): TurnEnd {
	switch (stopReason) {
		case 'end_turn':
			return { type: 'completed' };
		case 'cancelled':
			return { type: 'interrupted' };
		case 'max_tokens':
			return { type: 'failed', error: stopReason, why: 'The model reached the most tokens it may use.' };
		case 'max_turn_requests':
			return { type: 'failed', error: stopReason, why: `${title} called its model as often as it may in one turn.` };
		case 'refusal':
			return { type: 'failed', error: stopReason, why: 'The model refused to continue.' };
		default:
			return { type: 'failed', error: 'bad_output', why: `${title} ended its turn with "${stopReason.slice(0, 80)}".` };
	}
}

function modelOf({ models, configOptions }: AcpSession): string | undefined {
	const chosen = configOptions?.find(({ category }) => category === 'model')?.currentValue;
	return models?.currentModelId ?? (typeof chosen === 'string' ? chosen : undefined);
}

function modelsOf({ models, configOptions }: AcpSession): ModelChoice | null {
	const options = configOptions?.find(({ category }) => category === 'model')?.options ?? [];
	const names = [
		...new Set([...options.map(({ value }) => value), ...(models?.availableModels.map(({ modelId }) => modelId) ?? [])]),
	];
	return names.length === 0 ? null : { names, has: (name) => names.includes(name) };
}

/** Only offered models: the agent accepts any name and fails later. */
async function chooseModel(link: AcpLink, session: AcpSession & { sessionId: string }, model: string): Promise<boolean> {
	const { sessionId } = session;
	const option = session.configOptions?.find(({ category }) => category === 'model');
	if (option?.options.some(({ value }) => value === model))
		return (await link.request('session/set_config_option', { sessionId, configId: option.id, value: model })).ok;
	if (session.models?.availableModels.some(({ modelId }) => modelId === model))
		return (await link.request('session/set_model', { sessionId, modelId: model })).ok;
	return false;
}

function toExitReason(title: string, end: ProcessEnd, complaint: string): string {
	const reported = complaint === '' ? '' : ` It said: ${complaint.split('\n').slice(-3).join(' ').slice(-400)}`;
	if (end.type === 'not-started') return toSentence(`${title} could not be started: ${end.message}`);
	return `${title} ended by itself (${end.signal ?? `exit code ${end.code}`}).${reported}`;
}

export type AcpExtras = {
	/** Additional arguments and variables, or the reason for a refusal. */
	prepare(request: DrivenRequest, calls: AcpCalls): Promise<Result<Prepared>>;
	/** A sentence for a wrong agent or an unsupported version. */
	accept(agent: Initialized): string | null;
	describe(nativeId: string, request: DrivenRequest): Opened;
	/** A call began; waiting hooks may match it. */
	callBegan(): void;
	/** A sentence for a prompt that must not be sent; null for all others. */
	refusePrompt(text: string): string | null;
	/** It reports usage by itself. */
	reportsUsage: boolean;
	/** Runs before the end of a turn is reported, and may correct it. */
	afterTurn(nativeId: string, end: TurnEnd): Promise<TurnEnd>;
};

export type Prepared = { argv: readonly string[]; env: Readonly<Record<string, string>>; release: () => void };

export const NO_EXTRAS: AcpExtras = {
	prepare: async () => ok({ argv: [], env: {}, release: () => {} }),
	accept: () => null,
	describe: (nativeId, { model }) => ({ nativeId, model }),
	callBegan: () => {},
	refusePrompt: () => null,
	reportsUsage: false,
	afterTurn: async (_nativeId, end) => end,
};
