// The runner's engine as tests want it: the real clock and hash, no built-in denies, rules that stay as given.

import { createHash } from 'node:crypto';
import { realTimers, type Timers } from '@roost/machine/timers';
import type { Rule } from '@roost/protocol/rule';
import { createCommitPace } from '@roost/runner/engine/commit-pace';
import { createEngine, type Engine, type EngineDeps } from '@roost/runner/engine/engine';
import { TEST_RUNNER } from './test-projects.ts';

export type TestEngineOptions = Pick<EngineDeps, 'store' | 'summarise'> & {
	count?: EngineDeps['count'];
	heard?: EngineDeps['heard'];
	rules?: Rule[] | (() => readonly Rule[]);
	askTimeoutMs?: number;
	timers?: Timers;
	pace?: EngineDeps['pace'];
};

export function createTestEngine(options: TestEngineOptions): Engine {
	const { store, summarise, count = async () => [], rules = [], askTimeoutMs = 60_000, timers = realTimers } = options;
	const { heard = () => {}, pace = createCommitPace({ timers: realTimers, now: () => performance.now() }) } = options;
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
		pace,
		heard,
	});
}
