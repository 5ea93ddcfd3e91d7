// A whole engine around one agent that the test plays, or around the runtime of a real one: real step, real mapper.
import { createInjectableMockRuntime, type InjectableMockRuntime } from '@roost/agents/mock/injectable';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type ProjectId, type SessionId, sessionId, sessionStream } from '@roost/protocol/ids';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import type { Engine } from '@roost/runner/engine/engine';
import { createBindings } from '@roost/runner/observed/bindings';
import { routeLaunch } from '@roost/runner/observed/route-launch';
import { createMemoryStore } from '@roost/store/memory-store';
import { toProjectId } from '@roost/store/project-id';
import type { Store } from '@roost/store/store';
import { unwrap } from '../unwrap.ts';
import { createTestEngine, TEST_RUNNER, type TestEngineOptions } from './test-engine.ts';

export type EngineRig = AsyncDisposable & {
	engine: Engine;
	runtime: InjectableMockRuntime;
	store: Store;
	sessionId: SessionId;
	/** All events so far, in order. */
	reported: FeedEvent[];
	/** The stored events of the session. */
	stored(): StoredLine[];
	kinds(): string[];
};

export type EngineRigOptions = Partial<TestEngineOptions> & {
	gate?: GateMode;
	sessionId?: string;
	project?: { id: ProjectId; path: string };
	/** Replaces the agent that the test plays. */
	runtime?: Runtime;
};

export const TEST_PATH = '/project';
export const TEST_PROJECT = toProjectId(TEST_RUNNER, TEST_PATH);

export function createEngineRig(options: EngineRigOptions = {}): EngineRig {
	const { gate = 'observe', store = createMemoryStore() } = options;
	const first = sessionId.parse(options.sessionId ?? 's1');
	const played = createInjectableMockRuntime();
	const runtime = options.runtime ?? played;
	const engine = createTestEngine({ ...options, store });
	const reported: FeedEvent[] = [];
	engine.onUpdate(({ events }) => reported.push(...events));
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
		runtime: played,
		store,
		sessionId: first,
		reported,
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
