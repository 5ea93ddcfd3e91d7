// The agents that Roost drives right now, by session: started, let go, and given the next prompt when they are done.
import type {
	Connection,
	ControlCommand,
	DrivableAgent,
	DrivenAgent,
	OutgoingPrompt,
	ResumeRequest,
} from '@roost/core/runtime/connection';
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
import type { Orphans } from './orphans.ts';
import { type RefuseOtherWriter, refuseOtherOf } from './other-writer.ts';
import { type PromptQueues, settleSent } from './prompt-queues.ts';

export type LiveAgents = AsyncDisposable & {
	/** Once it is on record how the session is driven. */
	start(start: StartAgent): Promise<Result<LiveAgent>>;
	get(id: SessionId): LiveAgent | undefined;
	/** It goes to the session's agent at once where that is done and nothing waits before it, and waits else. */
	send(id: SessionId, text: string): Promise<Result<OutgoingPrompt>>;
	/** What waits first goes to the session's agent, if it has one that is done. Refused where it waits on, since it cannot be put on record. */
	sendNext(id: SessionId): Promise<Result<void>>;
	/** Its agent ends; when this resolves, what it says last is on record and its processes are gone. */
	letGo(id: SessionId): Promise<void>;
	/** How many are at work. */
	working(): number;
};

type StartAgent = {
	id: SessionId;
	parentId?: SessionId | undefined;
	agent: DrivableAgent;
	project: Project;
	drive: Drive;
	resume?: ResumeRequest | undefined;
};

/** A runner that ends has little time itself, and ends what is left of its agents within it. */
const AT_THE_END_MS = 1_500;

export function createLiveAgents(deps: {
	engine: Engine;
	prompts: PromptQueues;
	orphans: Orphans;
	refuseOtherWriter: RefuseOtherWriter;
	now: () => number;
	warn: (sentence: string) => void;
}): LiveAgents {
	const { engine, prompts, orphans, now, warn } = deps;
	const live = new Map<SessionId, LiveAgent>();
	const driver: Holder = { isAlive: () => true };
	/** Also of those that end right now. */
	const kinds = new Map<SessionId, DrivableAgent>();
	/** The end of an agent is whole before the next one takes its conversation up: there is one writer. */
	const ending = createInTurn<SessionId>();
	const offUpdate = engine.onUpdate((told) => void observe(told));

	async function start({ id, parentId, agent, project, drive, resume }: StartAgent): Promise<Result<LiveAgent>> {
		const onSpawned = (pid: number) => orphans.note(id, pid);
		const request = { ...toRequest(drive), session: id, gate: DRIVEN_GATE, resume, onSpawned };
		const refusal = refuseTurnLimit(agent, drive) ?? agent.refuse(request);
		if (refusal !== null) return err(new AppError('bad_request', refusal));
		await ending(id, async () => {});
		if (!engine.holders.claim(id, driver)) return err(isInTerminal());
		const opened = agent.open(request);
		const { runtime } = opened;
		const session = engine.open({ id, parentId, project, runtime, gate: DRIVEN_GATE });
		const noted = session.ok
			? await session.value.submit({ type: 'noted', fact: { kind: 'session.drive', data: drive }, at: now() })
			: session;
		if (!noted.ok) {
			engine.holders.release(driver, id);
			return noted;
		}
		// From now on whoever reports from that conversation reports for this session, and not for one that observed it before.
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
		if (agent.isOver()) await ending(sessionId, () => takeLeave(sessionId, agent));
		else if (isFree && prompts.list(sessionId).length > 0) await goOn(sessionId);
	}

	/** Somebody may have opened the conversation elsewhere since the prompt was taken: then it waits until it is sent anew. */
	async function goOn(id: SessionId): Promise<void> {
		const session = engine.session(id);
		if (!session.ok) return warn(session.error.message);
		const alone = await refuseOtherOf(deps.refuseOtherWriter, session.value.row());
		if (alone.ok) return void (await sendNext(id));
		const { code, message } = alone.error;
		const data = { code, message: `What waits to be sent goes on waiting. ${message}` };
		session.value.post({ type: 'noted', fact: { kind: 'runtime.error', data }, at: now() });
	}

	async function send(id: SessionId, text: string): Promise<Result<OutgoingPrompt>> {
		const agent = live.get(id);
		if (!agent || agent.isBusy() || prompts.list(id).length > 0) return await prompts.add(id, text);
		agent.claim();
		const added = await prompts.add(id, text, { sent: true });
		if (added.ok) await agent.prompt(added.value);
		else agent.release();
		return added;
	}

	/** On record before it leaves: what an agent may have got is never sent a second time unseen. */
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

	/** It went by itself; a run that it left open is over, also where it did not say so. */
	async function takeLeave(id: SessionId, agent: LiveAgent): Promise<void> {
		const wasBusy = agent.isBusy();
		const kind = kinds.get(id);
		await close(id);
		const session = engine.session(id);
		if (!session.ok) return warn(session.error.message);
		if (wasBusy) session.value.post({ type: 'cut', reason: 'its agent ended without a word', at: now() });
		await settleSent(session.value, { agent: kind, prompts, warn });
	}

	async function close(id: SessionId, ms?: number): Promise<void> {
		const agent = live.get(id);
		live.delete(id);
		await Promise.all([agent?.close(), orphans.leave(id, ms)]);
		engine.holders.release(driver, id);
		kinds.delete(id);
	}

	const letGo = (id: SessionId, ms?: number) => ending(id, () => close(id, ms));

	return {
		start,
		get: (id) => live.get(id),
		send,
		sendNext,
		letGo: (id) => letGo(id),
		working: () => [...live.values()].filter((agent) => agent.isBusy()).length,
		async [Symbol.asyncDispose]() {
			offUpdate();
			await Promise.all([...kinds.keys()].map((id) => letGo(id, AT_THE_END_MS)));
		},
	};
}

function isInTerminal(): AppError {
	return new AppError('conflict', 'This conversation is open in a terminal: end it there first, or fork it.');
}

function refuseTurnLimit({ capabilities: { agent, canLimitTurns } }: DrivableAgent, { max_turns }: Drive): string | null {
	if (max_turns === undefined || canLimitTurns) return null;
	return `${agent} does not support a turn limit (--max-turns). Limit the run with --timeout instead.`;
}

function toRequest({ cwd, model, permission_mode, allowed_tools, max_turns }: Drive) {
	return { cwd, model, permissionMode: permission_mode, allowedTools: allowed_tools, maxTurns: max_turns };
}

export type LiveAgent = {
	isBusy(): boolean;
	/** It ended by itself. */
	isOver(): boolean;
	/** From now on it is busy: nothing else may be sent to it meanwhile. */
	claim(): void;
	/** Nothing was sent after all. */
	release(): void;
	prompt(prompt: OutgoingPrompt): Promise<void>;
	/** Into the run that is under way. */
	steer(prompt: OutgoingPrompt): Promise<void>;
	control(command: ControlCommand): Promise<void>;
	models: Connection['models'];
	interrupt(): Promise<void>;
	/** Facts of its session; true where they say that it can take the next prompt. */
	observe(events: readonly FeedEvent[]): boolean;
	/** The agent ends; what it says last is on record when this resolves. */
	close(): Promise<void>;
};

/** What could not be sent because it could not be put on record can be now. */
function saysRecordIsBack(event: FeedEvent): boolean {
	return event.kind === 'runtime.status' && event.data.status === 'connected';
}

/** Nobody sits in front of it: what Roost does not allow, nobody allows. */
export const DRIVEN_GATE: GateMode = 'enforce';

export function startLiveAgent(deps: {
	agent: DrivenAgent;
	session: { id: SessionId; parentId?: SessionId | undefined };
	project: Project;
	engine: Engine;
	now: () => number;
	warn: (sentence: string) => void;
}): LiveAgent {
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
		claim() {
			busy = true;
		},
		release() {
			busy = false;
		},
		async prompt(prompt) {
			const isFirst = !prompted;
			busy = true;
			prompted = true;
			await (isFirst ? connection.sendPrompt(prompt) : connection.followUp(prompt));
		},
		steer: (prompt) => connection.control({ type: 'steer', prompt }),
		control: connection.control,
		models: connection.models,
		interrupt: () => connection.abort(),
		observe(events) {
			const last = events.findLast(({ kind }) => kind === 'run.start' || kind === 'run.end');
			if (last) busy = last.kind === 'run.start';
			return !busy && (last !== undefined || events.some(saysRecordIsBack));
		},
		async close() {
			connection.close();
			await engine.sessionSettled(session.id);
			route[Symbol.dispose]();
		},
	};
}

export async function refuseModel(
	agent: Pick<LiveAgent, 'models'> | undefined,
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

const MOST_NAMED = 12;
