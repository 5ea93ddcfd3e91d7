// One agent that Roost drives right now: what it reports goes into its session, and prompts go to it one at a time.
import type { Connection, ControlCommand, DrivenAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Engine } from '../engine/engine.ts';
import { routeLaunch } from '../observed/route-launch.ts';
import type { Project } from '../record/projects.ts';

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
