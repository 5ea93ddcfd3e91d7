// Codex as a wire: one `app-server` process for a session, spoken to in lines, its calls held at Roost's gate.
import type { DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type LineProcess, type ProcessEnd, startLineProcess } from '../../live/line-process.ts';
import type { Opened, Talk, Wire } from '../../live/live-agent.ts';
import type { TurnEnd } from '../../live/turns.ts';
import { parseRollout } from '../parse-rollout.ts';
import { createCallGate } from './call-gate.ts';
import type { CodexSetup } from './codex-setup.ts';
import { type HookDoor, openHookDoor } from './hook-door.ts';
import { createItems } from './items.ts';
import { openThread } from './open-thread.ts';
import { type Notice, parseNotice, turnStarted } from './protocol.ts';
import { createRpcPeer } from './rpc-peer.ts';
import { createServerRequests } from './server-requests.ts';
import { toFailedTurn, toSentence } from './turn-error.ts';
import { createTurnState } from './turn-state.ts';
import { createUsageBook } from './usage-book.ts';
import { whyItEnded } from './why-it-ended.ts';

export function createCodexWire(talk: Talk, request: DrivenRequest, setup: CodexSetup): Wire {
	const { voice, turns, calls, said, timers, newId } = talk;
	const usage = createUsageBook();
	const items = createItems(talk, request.cwd);
	const gate = createCallGate({ gate: talk.gate, calls, onLost: (message) => voice.fail({ code: 'denied', message }) });
	const peer = createRpcPeer({ write: (line) => codex?.write(line) ?? false, timers, onNotice: hearLine, onRequest: ask });
	const requests = createServerRequests({ talk, gate, items, agentOf, signal: () => turn.signal() });
	const turn = createTurnState();
	const notices = new Set<string>();
	let codex: LineProcess | undefined;
	let door: HookDoor | undefined;
	let threadId = '';
	let model = '';
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
		const { argv, env, hookCommand, instructions, leftOut, from } = prepared.value;
		const onCall: Parameters<typeof openHookDoor>[0]['onCall'] = (call, signal) =>
			gate.onHook(call, AbortSignal.any([signal, turn.signal()]));
		const opened = await openHookDoor({ runDir: setup.runDir, now: Date.now, newId, onCall });
		if (!opened.ok) return opened;
		door = opened.value;
		if (isEnding) return await closed();
		const ended = Promise.withResolvers<Result<never>>();
		codex = startLineProcess({
			argv,
			cwd: request.cwd,
			env: { ...env, ...door.env },
			timers,
			onSpawned: request.onSpawned,
			onLine: takeLine,
			onOversize: () =>
				voice.fail({ code: 'too_large', message: 'Codex wrote a line that is too long to be read: it is left out.' }),
			onEnd: (end) => ended.resolve(err(new AppError('cannot_start', onEnd(end)))),
		});
		const thread = await Promise.race([
			openThread(peer, { request, hookCommand, instructions, from, version: setup.version }),
			ended.promise,
		]);
		if (!thread.ok) return thread;
		threadId = thread.value.thread.id;
		model = thread.value.model;
		const transcriptPath = thread.value.thread.path ?? undefined;
		if (from && !from.fork && transcriptPath !== undefined) usage.carry((await parseRollout(transcriptPath))?.usage ?? {});
		return ok({ nativeId: threadId, transcriptPath, model, leftOut });
	}

	async function closed(): Promise<Result<never>> {
		await door?.close();
		return err(new AppError('interrupted', 'It was closed before it began.'));
	}

	/** The sentence that says why; it is also told to whoever listens. */
	function onEnd(end: ProcessEnd): string {
		const why = whyItEnded(end, setup.program, codex?.complaint() ?? '');
		peer.close();
		void door?.close();
		if (threadId !== '') talk.finish(why);
		return why;
	}

	function takeLine(line: string): void {
		if (peer.take(line)) return;
		unread += 1;
		if (unread === 1)
			voice.fail({
				code: 'agent_failed',
				message: 'Codex wrote something that is none of its protocol: it is left out.',
				detail: line.slice(0, 200),
			});
		if (unread === MAX_UNREAD)
			talk.finish('Codex writes nothing that Roost understands: check that "agents.codex.command" is Codex.');
	}

	function hearLine(method: string, params: unknown): void {
		const notice = parseNotice(method, params);
		if (notice) hear(notice);
		else if (notice === undefined)
			voice.fail({ code: 'agent_failed', message: `Codex said ${method} in words that Roost does not know.` });
	}

	function hear({ method, params }: Notice): void {
		switch (method) {
			case 'turn/started':
				if (params.threadId === threadId) turn.begun(params.turn.id);
				break;
			case 'turn/completed':
				if (params.threadId === threadId) endTurn(toTurnEnd(params.turn.status, params.turn.error));
				break;
			case 'item/started':
				if (params.item) items.started({ turnId: params.turnId, agentId: agentOf(params.threadId) }, params.item);
				break;
			case 'item/completed':
				if (params.item) items.completed({ turnId: params.turnId, agentId: agentOf(params.threadId) }, params.item);
				break;
			case 'item/agentMessage/delta':
				if (params.threadId === threadId) said.add(params.itemId, params.delta);
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
				if (params.willRetry) notify(`${toSentence(params.error)} Codex tries again.`);
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

	/** Codex repeats its warnings with each turn; once is enough. What it says before it has a conversation belongs to none. */
	function notify(message: string): void {
		if (threadId === '' || notices.has(message) || notices.size >= MAX_NOTICES) return;
		notices.add(message);
		voice.report('Notification', { message });
	}

	function count(thread: string, sum: Parameters<typeof usage.add>[2]): void {
		if (thread === threadId && !turn.isRunning()) usage.begin(thread, sum.total);
		else voice.report(USAGE_REPORT, { by_model: usage.add(thread, model, sum) });
	}

	function switchModel(to: string, source: string): void {
		if (to === model) return;
		voice.report('PostModelSwitch', { from_model: model, to_model: to, source });
		model = to;
	}

	function endTurn(how: TurnEnd): void {
		turn.ended();
		const quiet = gate.takeQuiet();
		if (how.type === 'completed') items.finishQuiet(quiet);
		turns.end(how);
	}

	async function beginTurn(prompt: OutgoingPrompt): Promise<void> {
		turn.starting();
		const wanted = nextModel;
		const started = await peer.request('turn/start', {
			threadId,
			clientUserMessageId: prompt.id,
			input: toInput(prompt),
			...(wanted === undefined ? {} : { model: wanted }),
		});
		const known = started.ok ? turnStarted.safeParse(started.value) : undefined;
		if (known?.success) {
			if (wanted !== undefined) switchModel(wanted, 'user');
			turn.begun(known.data.turn.id);
		} else if (turn.isRunning()) {
			const why = started.ok ? 'it answered in words that Roost does not know' : started.error.message;
			endTurn({ type: 'failed', error: 'agent_failed', why: `Codex did not take the prompt: ${why}.` });
		}
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
			// Whoever is still asked is asked in vain from now on, and Codex waits for its hooks.
			turn.stopAsking();
			await interrupted;
			await turn.over();
		},
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
