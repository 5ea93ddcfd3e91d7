// The desk that drives agents, with a scripted agent whose time passes when the test says so: real engine, store in memory.
import { type MockAgentOptions, mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { DrivableAgent, DrivenAgent } from '@roost/core/runtime/connection';
import type { PromptsTold } from '@roost/gateway/backend';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { projectId, promptId, type SessionId, sessionId } from '@roost/protocol/ids';
import { createDrivenDesk, type DrivenDesk } from '@roost/runner/driven/driven-desk';
import { createPromptQueues, type PromptQueues } from '@roost/runner/driven/prompt-queues';
import type { Engine } from '@roost/runner/engine/engine';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { readStored } from './engine-rig.ts';
import { createManualTimers } from './manual-timers.ts';
import { createTestEngine } from './test-engine.ts';
import { unwrap } from './unwrap.ts';

export type DrivenRig = AsyncDisposable & {
	readonly desk: DrivenDesk;
	readonly queues: PromptQueues;
	readonly engine: Engine;
	readonly store: Store;
	/** Every change of a queue, in order. */
	readonly queueTold: readonly PromptsTold[];
	readonly told: readonly FeedEvent[];
	/** Every agent that was started, in order. */
	readonly agents: readonly DrivenAgent[];
	/** A session in a folder that exists; its agent has this prompt. */
	create(prompt?: string): Promise<SessionId>;
	/** Lets time pass for the agents, and everything that follows be done. */
	play(ms?: number): Promise<void>;
	stored(id: SessionId): FeedEvent[];
	/** The kinds that say what happened, without what lies between. */
	story(id: SessionId): string[];
	prompts(id: SessionId): string[];
};

const STORY = /^(session\.(start|end)|user\.prompt|run\.end|permission\.(request|decision)|question|tool\.post|agent\.message)/;
const STEP_MS = 20;
/** Longer than any answer but the long one. */
const WHILE_MS = 5_000;

/** On the same store it is another runner after a restart. */
export function openDrivenRig(options: { store?: Store; agent?: MockAgentOptions } = {}): DrivenRig {
	const store = options.store ?? createMemoryStore();
	const timers = createManualTimers();
	const engine = createTestEngine({ store, summarise: async () => [] });
	const told: FeedEvent[] = [];
	const queueTold: PromptsTold[] = [];
	engine.onTold(({ events }) => told.push(...events));
	const newPromptId = () => promptId.parse(crypto.randomUUID());
	const queues = createPromptQueues({
		newId: newPromptId,
		now: timers.now,
		onChange: (queue) => queueTold.push(queue),
	});
	const agents: DrivenAgent[] = [];
	const mock = mockAgent({ timers, now: timers.now, ...options.agent });
	const open: DrivableAgent['open'] = (request) => {
		const agent = mock.open(request);
		agents.push(agent);
		return agent;
	};
	const desk = createDrivenDesk({
		drivable: new Map([['mock', { ...mock, open }]]),
		engine,
		store,
		queues,
		newSessionId: () => sessionId.parse(crypto.randomUUID()),
		newPromptId,
		now: timers.now,
		warn(sentence) {
			throw new Error(sentence);
		},
	});
	const stored = (id: SessionId) => readStored(store, id).map(({ event }) => event);
	return {
		desk,
		queues,
		engine,
		store,
		told,
		agents,
		queueTold,
		async create(prompt) {
			return unwrap(await desk.create({ projectId: projectId.parse(process.cwd()), agent: 'mock', prompt })).sessionId;
		},
		async play(ms = WHILE_MS) {
			for (let passed = 0; passed < ms; passed += STEP_MS) {
				timers.advance(STEP_MS);
				await engine.settled();
			}
		},
		stored,
		story: (id) => stored(id).flatMap(({ kind }) => (STORY.test(kind) ? [kind] : [])),
		prompts: (id) => stored(id).flatMap((event) => (event.kind === 'user.prompt' ? [event.data.prompt] : [])),
		async [Symbol.asyncDispose]() {
			await desk[Symbol.asyncDispose]();
			await engine[Symbol.asyncDispose]();
		},
	};
}
