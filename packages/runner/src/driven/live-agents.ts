// The running driven agents, by session: start, send prompts one at a time, and end.
import type { Connection, DrivableAgent, DrivenAgent, OutgoingPrompt, ResumeRequest } from '@roost/core/runtime/connection';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { createInTurn } from '@roost/machine/in-turn';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { Update } from '../engine/live-session.ts';
import type { Holder } from '../engine/session-holders.ts';
import { routeLaunch } from '../observed/route-launch.ts';
import type { Project } from '../record/projects.ts';
import type { DrivingBase } from './may-drive.ts';
import type { Orphans } from './orphans.ts';
import { type RefuseOtherWriter, refuseOtherOf } from './other-writer.ts';
import { type PromptQueues, settleSent, type WrittenPrompt } from './prompt-queues.ts';

export type LiveAgents = ReturnType<typeof createLiveAgents>;
export type LiveAgent = ReturnType<typeof startLiveAgent>;

type StartAgent = {
	id: SessionId;
	parentId?: SessionId | undefined;
	agent: DrivableAgent;
	project: Project;
	drive: Drive;
	resume?: ResumeRequest | undefined;
};

/** For agents to exit at the shutdown of the runner, which is short itself. */
const SHUTDOWN_MS = 1_500;

/** No person sits in front of a driven agent, so only calls that Roost allows are made. */
export const DRIVEN_GATE: GateMode = 'enforce';

export function createLiveAgents(
	deps: Pick<DrivingBase, 'engine' | 'now' | 'warn'> & {
		prompts: PromptQueues;
		orphans: Orphans;
		refuseOtherWriter: RefuseOtherWriter;
	},
) {
	const { engine, prompts, orphans, now, warn } = deps;
	const live = new Map<SessionId, LiveAgent>();
	const driver: Holder = { isAlive: () => true };
	/** Including those that are ending. */
	const kinds = new Map<SessionId, DrivableAgent>();
	/** An agent ends completely before the next one resumes its conversation: there is one writer. */
	const ending = createInTurn<SessionId>();
	const offUpdate = engine.onUpdate((update) => void observe(update));

	async function start({ id, parentId, agent, project, drive, resume }: StartAgent): Promise<Result<LiveAgent>> {
		const onSpawned = (pid: number) => orphans.note(id, pid);
		const request = { ...toRequest(drive), session: id, gate: DRIVEN_GATE, resume, onSpawned };
		const refusal = refuseTurnLimit(agent, drive) ?? agent.refuse(request);
		if (refusal !== null) return err(new AppError('bad_request', refusal));
		await ending(id, async () => {});
		if (!engine.holders.claim(id, driver))
			return err(new AppError('conflict', 'This conversation is open in a terminal: end it there first, or fork it.'));
		const opened = agent.open(request);
		const session = engine.open({ id, parentId, project, runtime: opened.runtime, gate: DRIVEN_GATE });
		const noted = session.ok
			? await session.value.submit({ type: 'noted', fact: { kind: 'session.drive', data: drive }, at: now() })
			: session;
		if (!noted.ok) {
			engine.holders.release(driver, id);
			return noted;
		}
		// Reports from that conversation now belong to this session, and not to one that observed it before.
		if (resume && !resume.fork) engine.holders.noteNative(resume.nativeId, id);
		const started = startLiveAgent({ agent: opened, session: { id, parentId }, project, engine, now, warn });
		live.set(id, started);
		kinds.set(id, agent);
		return ok(started);
	}

	async function observe({ sessionId, events }: Update): Promise<void> {
		const agent = live.get(sessionId);
		if (!agent) return;
		const isFree = agent.observe(events);
		if (agent.isOver()) await ending(sessionId, () => noteExit(sessionId, agent));
		else if (isFree && prompts.list(sessionId).length > 0) await sendQueued(sessionId);
	}

	/** The conversation may have been opened elsewhere since: then the queue waits until the next command. */
	async function sendQueued(id: SessionId): Promise<void> {
		const session = engine.session(id);
		if (!session.ok) return warn(session.error.message);
		const alone = await refuseOtherOf(deps.refuseOtherWriter, session.value.row());
		if (alone.ok) return void (await sendNext(id));
		const { code, message } = alone.error;
		const data = { code, message: `Queued prompts were not sent. ${message}` };
		session.value.post({ type: 'noted', fact: { kind: 'runtime.error', data }, at: now() });
	}

	/** At once if the agent is idle and nothing is queued; otherwise the prompt is queued. */
	async function send(id: SessionId, written: WrittenPrompt): Promise<Result<OutgoingPrompt>> {
		const agent = live.get(id);
		if (!agent || agent.isBusy() || prompts.list(id).length > 0) return await prompts.add(id, written);
		agent.claim();
		const added = await prompts.add(id, written, { sent: true });
		if (added.ok) await agent.prompt(added.value);
		else agent.release();
		return added;
	}

	/** The first queued prompt, if the agent is idle. Recorded before it is sent: a prompt is never silently sent twice. */
	async function sendNext(id: SessionId): Promise<Result<void>> {
		const agent = live.get(id);
		const session = engine.session(id);
		const next = agent && !agent.isBusy() && session.ok ? session.value.prompts().waiting[0] : undefined;
		if (!agent || !next) return ok(undefined);
		agent.claim();
		const handed = await prompts.handOver(id, next.id, 'send');
		if (handed.ok) await agent.prompt(next);
		else agent.release();
		return handed;
	}

	/** The agent exited by itself; an open run ends with it. */
	async function noteExit(id: SessionId, agent: LiveAgent): Promise<void> {
		const wasBusy = agent.isBusy();
		const kind = kinds.get(id);
		await close(id);
		const session = engine.session(id);
		if (!session.ok) return warn(session.error.message);
		if (wasBusy) session.value.post({ type: 'cut', reason: 'its agent exited unexpectedly', at: now() });
		await settleSent(session.value, { agent: kind, prompts, warn });
	}

	async function close(id: SessionId, ms?: number): Promise<void> {
		const agent = live.get(id);
		live.delete(id);
		await Promise.all([agent?.close(), orphans.leave(id, ms)]);
		engine.holders.release(driver, id);
		kinds.delete(id);
	}

	/** Resolves when its last report is on record and its processes are gone. */
	const end = (id: SessionId, ms?: number) => ending(id, () => close(id, ms));

	return {
		start,
		get: (id: SessionId) => live.get(id),
		send,
		sendNext,
		end: (id: SessionId) => end(id),
		working: () => [...live.values()].filter((agent) => agent.isBusy()).length,
		async [Symbol.asyncDispose]() {
			offUpdate();
			await Promise.all([...kinds.keys()].map((id) => end(id, SHUTDOWN_MS)));
		},
	};
}

function refuseTurnLimit({ capabilities: { agent, canLimitTurns } }: DrivableAgent, { max_turns }: Drive): string | null {
	if (max_turns === undefined || canLimitTurns) return null;
	return `${agent} does not support a turn limit (--max-turns). Limit the run with --timeout instead.`;
}

function toRequest({ cwd, model, permission_mode, allowed_tools, max_turns }: Drive) {
	return { cwd, model, permissionMode: permission_mode, allowedTools: allowed_tools, maxTurns: max_turns };
}

export function startLiveAgent(deps: {
	agent: DrivenAgent;
	session: { id: SessionId; parentId?: SessionId | undefined };
	project: Project;
	engine: Engine;
	now: () => number;
	warn: (sentence: string) => void;
}) {
	const { engine, session, project, now } = deps;
	const { runtime, connection } = deps.agent;
	let busy = false;
	let prompted = false;
	const route = routeLaunch({
		engine,
		bindings: {
			sessionFor(event) {
				const { holders } = engine;
				if (event.sessionId && !holders.sessionOf(event.sessionId)) holders.noteNative(event.sessionId, session.id);
				return session;
			},
		},
		runtime,
		project,
		gate: DRIVEN_GATE,
		now,
		onProblem: deps.warn,
	});
	runtime.start();

	return {
		isBusy: () => busy,
		isOver: () => runtime.getStatus() === 'stopped',
		/** Marks it busy before a prompt is sent. */
		claim() {
			busy = true;
		},
		release() {
			busy = false;
		},
		async prompt(prompt: OutgoingPrompt): Promise<void> {
			const isFirst = !prompted;
			busy = true;
			prompted = true;
			await (isFirst ? connection.sendPrompt(prompt) : connection.followUp(prompt));
		},
		steer: (prompt: OutgoingPrompt) => connection.control({ type: 'steer', prompt }),
		control: connection.control,
		models: connection.models,
		interrupt: () => connection.abort(),
		/** Facts of its session; true if the agent can take the next prompt. */
		observe(events: readonly FeedEvent[]): boolean {
			const last = events.findLast(({ kind }) => kind === 'run.start' || kind === 'run.end');
			if (last) busy = last.kind === 'run.start';
			return !busy && (last !== undefined || events.some(isRecordBack));
		},
		/** Resolves when its last report is on record. */
		async close(): Promise<void> {
			connection.close();
			await engine.sessionSettled(session.id);
			route[Symbol.dispose]();
		},
	};
}

/** Prompts that could not be recorded can be now. */
function isRecordBack(event: FeedEvent): boolean {
	return event.kind === 'runtime.status' && event.data.status === 'connected';
}

const MOST_NAMED = 12;

/** As far as the agent lists its models: most accept any name and fail only when they use it. */
export async function refuseModel(
	agent: Pick<Connection, 'models'> | undefined,
	name: string,
	model: string | undefined,
): Promise<Result<void>> {
	if (model === undefined) return ok(undefined);
	const choice = await agent?.models();
	if (!choice || choice.has(model)) return ok(undefined);
	const { names } = choice;
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	const some = names.slice(0, MOST_NAMED).join(', ');
	return err(new AppError('bad_request', `${name} has no model "${model}". Choose one of ${some}${more}.`));
}
