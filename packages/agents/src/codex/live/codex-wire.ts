// The wire of Codex: one `app-server` process per session, its calls held at Roost's gate.
import { toSentence } from '@roost/core/display/sentence';
import type { DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { type LineProcess, type ProcessEnd, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject } from '../../base/json-object.ts';
import type { LiveContext, Opened, Wire } from '../../live/live-agent.ts';
import type { TurnEnd } from '../../live/turns.ts';
import { createUsageTracker, parseRollout } from '../rollout-files.ts';
import { createCallGate, createServerRequests } from './call-gate.ts';
import type { CodexSetup, Prepared } from './codex-setup.ts';
import { type HookListener, type HookListenerDeps, openHookListener } from './hook-listener.ts';
import { createItems } from './items.ts';
import { greet, openThread, readModels } from './open-thread.ts';
import { type Notice, parseNotice } from './protocol.ts';
import { createRpcPeer, isGone } from './rpc-peer.ts';
import { createTurnState, toExitReason, toFailedTurn, turnErrorText } from './turn-state.ts';

export function createCodexWire(live: LiveContext, request: DrivenRequest, setup: CodexSetup): Wire {
	const { reporter, turns, calls, messages, timers, newId } = live;
	const usage = createUsageTracker();
	const items = createItems(live, request.cwd);
	const gate = createCallGate({ gate: live.gate, calls, onLost: (message) => reporter.fail({ code: 'denied', message }) });
	const peer = createRpcPeer({ write: (line) => codex?.write(line) ?? false, timers, onNotice: receiveLine, onRequest: ask });
	const requests = createServerRequests({ live, gate, items, agentOf, signal: () => turn.signal() });
	const turn = createTurnState();
	const notices = new Set<string>();
	const useless = Promise.withResolvers<Result<never>>();
	let codex: LineProcess | undefined;
	let door: HookListener | undefined;
	let threadId = '';
	let model = '';
	let provider: string | undefined;
	let nextModel: string | undefined;
	let isEnding = false;
	let unread = 0;

	function agentOf(thread: string): string | undefined {
		return thread === threadId ? undefined : thread;
	}

	function ask(...given: Parameters<typeof requests.take>): void {
		requests.take(...given);
	}

	async function open(): Promise<Result<Opened>> {
		const prepared = await setup.prepare(request);
		if (!prepared.ok) return prepared;
		const { hookCommand, instructions, leftOut, from } = prepared.value;
		const greeted = await setup.oneAtATime(() => start(prepared.value));
		if (!greeted.ok) return await whyNot(greeted.error);
		const thread = await Promise.race([openThread(peer, { request, hookCommand, instructions, from }), useless.promise]);
		if (!thread.ok) return await whyNot(thread.error);
		threadId = thread.value.thread.id;
		model = thread.value.model;
		provider = thread.value.modelProvider;
		const transcriptPath = thread.value.thread.path ?? undefined;
		if (from && !from.fork && transcriptPath !== undefined) usage.startFrom((await parseRollout(transcriptPath))?.usage ?? {});
		return ok({ nativeId: threadId, transcriptPath, model, leftOut });
	}

	async function start({ argv, env }: Pick<Prepared, 'argv' | 'env'>): Promise<Result<void>> {
		const onCall: HookListenerDeps['onCall'] = (call, signal) => gate.onHook(call, AbortSignal.any([signal, turn.signal()]));
		const opened = await openHookListener({ runDir: setup.runDir, now: Date.now, newId, onCall });
		if (!opened.ok) return opened;
		door = opened.value;
		if (isEnding) return await closed();
		codex = startLineProcess({
			argv,
			cwd: request.cwd,
			env: { ...env, ...door.env },
			timers,
			onSpawned: request.onSpawned,
			onLine: takeLine,
			onOversize: () =>
				reporter.fail({
					code: 'too_large',
					message: 'Codex wrote a line that is too long or cannot be processed. It was left out.',
				}),
			onEnd,
		});
		return await Promise.race([greet(peer, setup.version), useless.promise]);
	}

	/** A failed write is noticed before its cause. */
	async function whyNot(error: AppError): Promise<Result<never>> {
		return isGone(error) ? await useless.promise : err(error);
	}

	async function closed(): Promise<Result<never>> {
		await door?.close();
		return err(new AppError('interrupted', 'It was closed before it began.'));
	}

	function onEnd(end: ProcessEnd): void {
		peer.close();
		void door?.close();
		giveUp(toExitReason(end, setup.program, codex?.complaint() ?? ''));
	}

	/** Before there is a conversation it is the result of `open`. */
	function giveUp(why: string): void {
		useless.resolve(err(new AppError('cannot_start', why)));
		if (threadId !== '') live.finish(why);
	}

	function takeLine(line: string): void {
		if (peer.take(line)) return;
		unread += 1;
		if (unread === 1)
			reporter.fail({
				code: 'agent_failed',
				message: 'Codex wrote a line that is not part of its protocol. It was skipped.',
				detail: line.slice(0, 200),
			});
		if (unread === MAX_UNREAD) giveUp('Codex writes nothing that Roost understands: check that "agents.codex.command" is Codex.');
	}

	function receiveLine(method: string, params: unknown): void {
		const notice = parseNotice(method, params);
		if (notice) receive(notice);
		// Unknown notifications are recorded as they came.
		else if (notice === undefined) reporter.relay(`CodexNotice:${method}`, isJsonObject(params) ? params : { value: params });
	}

	function receive({ method, params }: Notice): void {
		switch (method) {
			case 'turn/started':
				if (params.threadId === threadId) turn.begun(params.turn.id);
				break;
			case 'turn/completed':
				if (params.threadId === threadId) endTurn(toTurnEnd(params.turn.status, params.turn.error));
				break;
			case 'item/started':
				// A long conversation is first compacted by the old model.
				if (params.threadId === threadId && params.item?.type !== 'contextCompaction') applyModel();
				if (params.item) items.started({ turnId: params.turnId, agentId: agentOf(params.threadId) }, params.item);
				break;
			case 'item/completed':
				if (params.item) items.completed({ turnId: params.turnId, agentId: agentOf(params.threadId) }, params.item);
				break;
			case 'item/agentMessage/delta':
				if (params.threadId === threadId) messages.add(params.itemId, params.delta);
				break;
			case 'thread/tokenUsage/updated':
				count(params.threadId, params.tokenUsage);
				break;
			case 'serverRequest/resolved':
				requests.resolved(params.requestId);
				break;
			case 'model/rerouted':
				if (params.threadId === threadId) switchModel(params.toModel, 'reroute');
				break;
			case 'error':
				if (params.willRetry) notify(`${turnErrorText(params.error)} Codex tries again.`, 'api_retry');
				break;
			case 'warning':
			case 'guardianWarning':
				notify(params.message);
				break;
			case 'deprecationNotice':
				notify(params.summary);
				break;
		}
	}

	/** Codex repeats its warnings with each turn. Before there is a conversation they are dropped. */
	function notify(message: string, notification_type?: string): void {
		if (threadId === '' || notices.has(message) || notices.size >= MAX_NOTICES) return;
		notices.add(message);
		reporter.report('Notification', { message, ...(notification_type === undefined ? {} : { notification_type }) });
	}

	function count(thread: string, sum: Parameters<typeof usage.add>[2]): void {
		if (thread === threadId && !turn.isRunning()) usage.begin(thread, sum.total);
		else reporter.report(USAGE_REPORT, { by_model: usage.add(thread, model, sum) });
	}

	function switchModel(to: string, source: string): void {
		if (to === model) return;
		reporter.report('PostModelSwitch', { from_model: model, to_model: to, source });
		model = to;
	}

	function applyModel(): void {
		if (nextModel !== undefined && turn.id() !== undefined) switchModel(nextModel, 'user');
	}

	function endTurn(how: TurnEnd): void {
		applyModel();
		turn.ended();
		const quiet = gate.takeQuiet();
		if (how.type === 'completed') items.finishQuiet(quiet);
		turns.end(how);
	}

	async function beginTurn(prompt: OutgoingPrompt): Promise<void> {
		turn.starting();
		const started = await peer.request('turn/start', {
			threadId,
			clientUserMessageId: prompt.id,
			input: toInput(prompt),
			...(nextModel === undefined ? {} : { model: nextModel }),
		});
		if (!started.ok && turn.isRunning())
			endTurn({
				type: 'failed',
				error: 'agent_failed',
				why: toSentence(`Codex rejected the prompt: ${started.error.message}`),
			});
	}

	return {
		open,
		prompt: (prompt) => void beginTurn(prompt),
		async steer(prompt) {
			const expectedTurnId = turn.id();
			if (expectedTurnId === undefined) return false;
			const input = toInput(prompt);
			return (await peer.request('turn/steer', { threadId, expectedTurnId, clientUserMessageId: prompt.id, input })).ok;
		},
		async interrupt() {
			const turnId = await turn.known();
			if (turnId === undefined) return;
			const interrupted = peer.request('turn/interrupt', { threadId, turnId });
			// Pending asks are obsolete, and Codex waits for its hooks.
			turn.stopAsking();
			await interrupted;
			await turn.over();
		},
		models: () => readModels(peer, provider),
		async setModel(wanted) {
			nextModel = wanted;
			return true;
		},
		modeChanged: () => {},
		end(graceMs) {
			isEnding = true;
			turn.stopAsking();
			codex?.end(graceMs);
			if (!codex) void door?.close();
		},
	};
}

const MAX_UNREAD = 100;
const MAX_NOTICES = 50;

function toInput({ text }: OutgoingPrompt): object[] {
	return [{ type: 'text', text, text_elements: [] }];
}

function toTurnEnd(status: string, error: Parameters<typeof toFailedTurn>[0]): TurnEnd {
	if (status === 'completed') return { type: 'completed' };
	return status === 'interrupted' ? { type: 'interrupted' } : toFailedTurn(error);
}
