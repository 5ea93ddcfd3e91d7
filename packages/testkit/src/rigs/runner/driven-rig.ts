// Driven sessions with a scripted agent and a manual clock: real engine, store in memory.

import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { type MockAgentOptions, mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { DrivableAgent, DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { PromptsUpdate } from '@roost/gateway/operations/backend';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type ProjectId, projectId, type SessionId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import type { DrivenSessions } from '@roost/runner/driven/driven-sessions';
import type { OpenIn } from '@roost/runner/driven/other-writer';
import type { PromptQueues } from '@roost/runner/driven/prompt-queues';
import type { FindPast } from '@roost/runner/driven/resuming';
import type { SessionControls } from '@roost/runner/driven/session-controls';
import { startDriving } from '@roost/runner/driven/start-driving';
import type { TerminalMode } from '@roost/runner/driven/terminal-mode';
import type { Engine } from '@roost/runner/engine/engine';
import { createSessionLabels, type SessionLabels } from '@roost/runner/engine/session-labels';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { createManualTimers } from '../manual-timers.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { readStored } from './engine-rig.ts';
import { createTestEngine, createTestProjects } from './test-engine.ts';

export type DrivenRig = AsyncDisposable & {
	readonly driven: DrivenSessions;
	readonly controls: SessionControls;
	readonly labels: SessionLabels;
	readonly queue: PromptQueues;
	readonly engine: Engine;
	readonly store: Store;
	/** Every change of a queue, in order. */
	readonly queueUpdate: readonly PromptsUpdate[];
	readonly reported: readonly FeedEvent[];
	/** Every agent that was started, in order, and what with. */
	readonly agents: readonly DrivenAgent[];
	readonly requests: readonly DrivenRequest[];
	/** The default project of its sessions. */
	readonly project: ProjectId;
	/** Another place in that project. */
	readonly folder: string;
	/** A session in a folder that exists; its agent has this prompt. */
	create(prompt?: string): Promise<SessionId>;
	/** Advances the agents' clock and waits for everything that follows. */
	play(ms?: number): Promise<void>;
	stored(id: SessionId): FeedEvent[];
	/** The kinds of the main events. */
	story(id: SessionId): string[];
	prompts(id: SessionId): string[];
};

/** The scripted agent has none. */
const NO_TERMINAL: TerminalMode = {
	refuse: () => 'The scripted agent runs in no terminal.',
	newNativeId: () => '',
	open: async () => err(new AppError('conflict', 'The scripted agent runs in no terminal.')),
	find: () => undefined,
	pidOf: () => undefined,
	close: async () => {},
	onEnd: () => () => {},
};

const STORY = /^(session\.(start|end)|user\.prompt|run\.end|permission\.(request|decision)|question|tool\.post|agent\.message)/;
const STEP_MS = 20;
/** Longer than any response except the long one. */
const WHILE_MS = 5_000;

export type DrivenRigOptions = {
	store?: Store;
	agent?: MockAgentOptions;
	/** Whether an agent in a terminal reports from that conversation. */
	reports?: (nativeId: string) => boolean;
	/** Processes that have a conversation open. */
	openIn?: OpenIn;
	findPast?: FindPast;
	whyNotHere?: (agent: string) => Promise<string | null>;
	/** Accepts everything by default. */
	refuse?: DrivableAgent['refuse'];
	/** Called before an agent is started. */
	opening?: () => void;
};

/** On the same store it is another runner after a restart. */
export async function openDrivenRig(options: DrivenRigOptions = {}): Promise<DrivenRig> {
	const store = options.store ?? createMemoryStore();
	const timers = createManualTimers();
	const engine = createTestEngine({ store, summarise: async () => [] });
	const reported: FeedEvent[] = [];
	const queueUpdate: PromptsUpdate[] = [];
	engine.onUpdate(({ events }) => reported.push(...events));
	const project = projectId.parse(process.cwd());
	const requests: DrivenRequest[] = [];
	const agents: DrivenAgent[] = [];
	const mock = mockAgent({ timers, now: timers.now, ...options.agent });
	const open: DrivableAgent['open'] = (request) => {
		options.opening?.();
		const agent = mock.open(request);
		agents.push(agent);
		requests.push(request);
		return agent;
	};
	const temp = await createTempDir();
	const {
		driving: driven,
		controls,
		prompts: queue,
	} = await startDriving({
		defaultAgent: 'mock',
		drivable: new Map([['mock', { ...mock, refuse: options.refuse ?? mock.refuse, open }]]),
		whyNotHere: options.whyNotHere,
		engine,
		store,
		runDir: temp.path,
		reports: options.reports ?? (() => false),
		openIn: options.openIn ?? (async () => []),
		terminal: NO_TERMINAL,
		projects: createTestProjects(store),
		findPast: options.findPast ?? (async () => err(new AppError('not_found', 'Past session not found.'))),
		now: timers.now,
		warn(sentence) {
			throw new Error(sentence);
		},
		onQueueChange: (update) => queueUpdate.push(update),
	});
	const stored = (id: SessionId) => readStored(store, id).map(({ event }) => event);
	return {
		driven,
		controls,
		labels: createSessionLabels({ engine, now: timers.now }),
		queue,
		engine,
		store,
		reported,
		agents,
		requests,
		project,
		folder: join(project, 'packages'),
		queueUpdate,
		async create(prompt) {
			return unwrap(await driven.create({ projectId: project, agent: 'mock', prompt })).sessionId;
		},
		async play(ms = WHILE_MS) {
			for (let passed = 0; passed < ms; passed += STEP_MS) {
				timers.advance(STEP_MS);
				await engine.settled();
			}
			// The last update may lead to one more prompt.
			await immediate();
			await engine.settled();
		},
		stored,
		story: (id) => stored(id).flatMap(({ kind }) => (STORY.test(kind) ? [kind] : [])),
		prompts: (id) => stored(id).flatMap((event) => (event.kind === 'user.prompt' ? [event.data.prompt] : [])),
		async [Symbol.asyncDispose]() {
			await driven[Symbol.asyncDispose]();
			queue[Symbol.dispose]();
			await engine[Symbol.asyncDispose]();
			await temp[Symbol.asyncDispose]();
		},
	};
}
