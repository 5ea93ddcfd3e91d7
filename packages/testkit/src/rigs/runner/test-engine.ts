// The runner's engine and projects as tests want them: the real clock and hash, no built-in denies, rules that stay as given.
import { createHash } from 'node:crypto';
import { realTimers, type Timers } from '@roost/machine/timers';
import { runnerId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { createCommitPace } from '@roost/runner/engine/commit-pace';
import { createEngine, type Engine, type EngineDeps } from '@roost/runner/engine/engine';
import { createProjects, type Projects } from '@roost/runner/record/projects';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';

/** The runner of every test engine. */
export const TEST_RUNNER = runnerId.parse('test-runner');

/** No ask may expire while a slow test waits. */
const AN_HOUR_MS = 3_600_000;

export type TestEngineOptions = Pick<EngineDeps, 'store'> &
	Partial<Pick<EngineDeps, 'summarise' | 'count' | 'received' | 'pace'>> & {
		rules?: Rule[] | (() => readonly Rule[]);
		askTimeoutMs?: number;
		timers?: Timers;
	};

export function createTestEngine(options: TestEngineOptions): Engine {
	const { store, rules = [], askTimeoutMs = AN_HOUR_MS, timers = realTimers, received = () => {} } = options;
	const { summarise = async () => [], count = async () => [] } = options;
	return createEngine({
		store,
		runnerId: TEST_RUNNER,
		now: Date.now,
		hash: (text) => createHash('sha256').update(text).digest('hex'),
		newNonce: () => 'nonce',
		rules: typeof rules === 'function' ? rules : () => rules,
		builtinDenies: [],
		askTimeoutMs,
		summarise,
		count,
		timers,
		pace: options.pace ?? createCommitPace({ timers: realTimers, now: () => performance.now() }),
		received,
	});
}

/** The projects on record, and real folders. */
export function createTestProjects(store: Pick<Store, 'projects'> = createMemoryStore()): Projects {
	return createProjects({ store, runnerId: TEST_RUNNER, discovered: () => [] });
}
