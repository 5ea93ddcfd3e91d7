// The runner, wired together: home, record and engine. No decision is made here.
import { createHash, randomUUID } from 'node:crypto';
import { realTimers } from '@roost/agents/timers';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { createEngine, type Engine } from './engine/engine.ts';
import { summariseTranscript } from './engine/summaries.ts';
import { ensureHome, type Home, resolveHome } from './home.ts';
import { keepRunnerId } from './runner-id.ts';

export type Runner = AsyncDisposable & { home: Home; runnerId: RunnerId; store: Store; engine: Engine };

export type RunnerOptions = {
	env: NodeJS.ProcessEnv;
	rules: () => readonly Rule[];
	/** 0 where nobody could answer. */
	askTimeoutMs: number;
};

export function startRunner(options: RunnerOptions): Result<Runner> {
	const home = resolveHome(options.env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const runnerId = keepRunnerId(home.value.runnerId);
	if (!runnerId.ok) return runnerId;
	const opened = openSqliteStore({ path: home.value.database, access: 'write' });
	if (!opened.ok) return opened;
	const store = opened.value;
	const engine = createEngine({
		store,
		runnerId: runnerId.value,
		now: Date.now,
		hash: (text) => createHash('sha256').update(text).digest('hex'),
		newNonce: randomUUID,
		rules: options.rules,
		builtinDenies: [],
		askTimeoutMs: options.askTimeoutMs,
		summarise: summariseTranscript,
		timers: realTimers,
	});
	return ok({
		home: home.value,
		runnerId: runnerId.value,
		store,
		engine,
		async [Symbol.asyncDispose]() {
			await engine[Symbol.asyncDispose]();
			await store.close();
		},
	});
}
