// A whole engine around one agent that the test plays: real step, real mapper, a store of the test's choice.

import { createInjectableMockRuntime, type InjectableMockRuntime } from '@roost/agents/mock/injectable';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Timers } from '@roost/machine/timers';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type ProjectId, type SessionId, sessionId, sessionStream } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import type { Engine } from '@roost/runner/engine/engine';
import { createBindings } from '@roost/runner/observed/bindings';
import { routeLaunch } from '@roost/runner/observed/route-launch';
import { createMemoryStore } from '@roost/store/memory-store';
import { toProjectId } from '@roost/store/project-id';
import type { Store } from '@roost/store/store';
import { unwrap } from '../unwrap.ts';
import { createTestEngine, type TestEngineOptions } from './test-engine.ts';
import { TEST_RUNNER } from './test-projects.ts';

export type EngineRig = AsyncDisposable & {
	engine: Engine;
	runtime: InjectableMockRuntime;
	store: Store;
	sessionId: SessionId;
	/** What was told so far, in order. */
	told: FeedEvent[];
	/** What is stored of the session. */
	stored(): StoredLine[];
	kinds(): string[];
};

export type EngineRigOptions = {
	store?: Store;
	rules?: Rule[] | (() => readonly Rule[]);
	gate?: GateMode;
	askTimeoutMs?: number;
	sessionId?: string;
	timers?: Timers;
	heard?: TestEngineOptions['heard'];
	project?: { id: ProjectId; path: string };
};

export const TEST_PATH = '/project';
export const TEST_PROJECT = toProjectId(TEST_RUNNER, TEST_PATH);

export function createEngineRig(options: EngineRigOptions = {}): EngineRig {
	const { rules, gate = 'observe', askTimeoutMs, timers, heard } = options;
	const store = options.store ?? createMemoryStore();
	const first = sessionId.parse(options.sessionId ?? 's1');
	const runtime = createInjectableMockRuntime();
	const engine = createTestEngine({ store, rules, askTimeoutMs, timers, heard, summarise: async () => [] });
	const told: FeedEvent[] = [];
	engine.onUpdate(({ events }) => told.push(...events));
	let forks = 0;
	const route = routeLaunch({
		engine,
		bindings: createBindings({
			holders: engine.holders,
			holder: { isAlive: () => true },
			first,
			newSessionId: () => sessionId.parse(`${first}-fork${++forks}`),
		}),
		runtime,
		project: options.project ?? { id: TEST_PROJECT, path: TEST_PATH },
		gate,
		now: Date.now,
		onProblem: (message) => {
			throw new Error(message);
		},
	});
	runtime.start();
	return {
		engine,
		runtime,
		store,
		sessionId: first,
		told,
		stored: () => readStored(store, first),
		kinds: () => readStored(store, first).map((line) => line.event.kind),
		async [Symbol.asyncDispose]() {
			runtime.stop();
			await engine[Symbol.asyncDispose]();
			route[Symbol.dispose]();
		},
	};
}

export function readStored(store: Store, session: SessionId): StoredLine[] {
	const entries = unwrap(store.read({ stream: sessionStream(session), after: 0, limit: 1_000_000 }));
	return entries.map((entry) => storedLine.parse(JSON.parse(entry.line)));
}
