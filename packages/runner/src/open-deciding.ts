// What decides and remembers: the rules and the engine over one record.
import { createHash, randomUUID } from 'node:crypto';
import { newShortId } from '@roost/home/short-id';
import { realTimers } from '@roost/machine/timers';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { builtinDenies } from './deciding/builtin-denies.ts';
import { createOwnFiles } from './deciding/own-files.ts';
import { ownFilesContext } from './deciding/places.ts';
import { openRuleBook, type RuleBook } from './deciding/rule-book.ts';
import { createCommitPace } from './engine/commit-pace.ts';
import { createEngine, type Engine, type EngineDeps } from './engine/engine.ts';
import { summariseTranscript } from './engine/summaries.ts';
import { createUsageCounts } from './engine/usage-counts.ts';
import type { Foundations } from './record/foundations.ts';
import type { Projects } from './record/projects.ts';
import { openRunnerStream, type RunnerStream } from './record/runner-stream.ts';

export type Deciding = { rules: RuleBook; own: RunnerStream; engine: Engine };

export function openDeciding(deps: {
	foundations: Foundations;
	env: NodeJS.ProcessEnv;
	projects: Projects;
	/** The record as the engine writes it; it may be watched. */
	written: Store;
	/** Stored lines that no session told of. */
	tell: (entries: LogEntry[]) => void;
	heard: EngineDeps['heard'];
	/** One sentence for the log. */
	warn: (sentence: string) => void;
}): Result<Deciding> {
	const { store, runnerId, home, config } = deps.foundations;
	const ownFiles = createOwnFiles(ownFilesContext(home, deps.env));
	const common = { runnerId, builtinDenies: builtinDenies(), ownFiles, now: Date.now, hash };
	const own = openRunnerStream({ ...common, store, tell: deps.tell });
	if (!own.ok) return own;
	const rules = openRuleBook({ ...common, store, projects: deps.projects, newId: newShortId, own: own.value, warn: deps.warn });
	if (!rules.ok) return rules;
	const engine = createEngine({
		...common,
		store: deps.written,
		newNonce: randomUUID,
		rules: rules.value.inForce,
		askTimeoutMs: config.sdk.approvalTimeoutMs,
		summarise: summariseTranscript,
		count: createUsageCounts(),
		timers: realTimers,
		pace: createCommitPace({ timers: realTimers, now: () => performance.now() }),
		heard: deps.heard,
	});
	return ok({ rules: rules.value, own: own.value, engine });
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
