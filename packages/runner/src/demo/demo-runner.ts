// The part of a runner that the demo needs: the record and an engine with rules of its own; nobody can reach it.
import { createHash, randomUUID } from 'node:crypto';
import { realTimers } from '@roost/agents/timers';
import { ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Store } from '@roost/store/store';
import { createEngine, type Engine } from '../engine/engine.ts';
import { summariseTranscript } from '../engine/summaries.ts';
import { layFoundations } from '../foundations.ts';

export type DemoRunner = AsyncDisposable & { store: Store; engine: Engine };

export function startDemoRunner(options: {
	env: NodeJS.ProcessEnv;
	rules: readonly Rule[];
	askTimeoutMs: number;
}): Result<DemoRunner> {
	const laid = layFoundations({ env: options.env, flags: {} });
	if (!laid.ok) return laid;
	const { store, runnerId } = laid.value;
	const engine = createEngine({
		store,
		runnerId,
		now: Date.now,
		hash: (text) => createHash('sha256').update(text).digest('hex'),
		newNonce: randomUUID,
		rules: () => options.rules,
		builtinDenies: [],
		askTimeoutMs: options.askTimeoutMs,
		summarise: summariseTranscript,
		timers: realTimers,
	});
	return ok({
		store,
		engine,
		async [Symbol.asyncDispose]() {
			await engine[Symbol.asyncDispose]();
			await store.close();
		},
	});
}
