// A runner inside another process with simulated agents, for the demo. Wiring only.
import { toUsageFact } from '@roost/agents/base/transcripts';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { UsageByModel } from '@roost/core/usage/tally';
import { findProject } from '@roost/home/project';
import { removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { VERSION } from '@roost/home/version';
import type { RuleBody } from '@roost/protocol/api/rules';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { openRuleBook } from './deciding/rule-book.ts';
import type { DrivableAgents } from './driven/may-drive.ts';
import type { Engine } from './engine/engine.ts';
import { routeLaunch } from './observed/route-launch.ts';
import { type OpenRunner, openRunner } from './open-runner.ts';
import { openFoundations } from './record/foundations.ts';
import { createProjects, type Project } from './record/projects.ts';
import { openRunnerStream } from './record/runner-stream.ts';

/** Rules with names instead of random IDs, for the feed. */
export type NamedRule = readonly [name: string, body: Pick<RuleBody, 'tool' | 'argsPattern' | 'decision'>];

export type Stage = AsyncDisposable &
	Pick<Engine, 'settled' | 'sessionSettled' | 'onUpdate'> & {
		readonly project: Project;
		readonly backend: OpenRunner['backend'];
		readonly driving: Pick<OpenRunner['driving'], 'create'>;
		/** As if it were started in a terminal. */
		observe(id: SessionId, runtime: Runtime): Disposable;
		noteUsage(id: SessionId, usage: UsageByModel, at: number): void;
	};

/** Resolves when it is reachable like any other runner of that home. */
export async function openStage(options: {
	env: NodeJS.ProcessEnv;
	folder: string;
	/** On record before the first session. */
	rules: readonly NamedRule[];
	/** Replaces the agents of this machine. */
	drivable: DrivableAgents;
}): Promise<Result<Stage>> {
	const { env, folder, rules, drivable } = options;
	const added = await addRules(env, folder, rules);
	if (!added.ok) return added;
	const opened = await openRunner({ env, flags: {}, journal: SILENT, warn: () => {}, drivable });
	if (!opened.ok) return opened;
	const { home, gateway, engine, known, backend, driving, ...runner } = opened.value;
	async function close(): Promise<void> {
		removeRunnerFile(home);
		await runner[Symbol.asyncDispose]();
	}
	const project = known.identify((await findProject(folder)).path);
	const written = writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() });
	if (!written.ok) {
		await close();
		return written;
	}
	return ok({
		project,
		backend,
		driving,
		settled: engine.settled,
		sessionSettled: engine.sessionSettled,
		onUpdate: engine.onUpdate,
		observe: (id, runtime) =>
			routeLaunch({
				engine,
				bindings: { sessionFor: () => ({ id }) },
				runtime,
				project,
				gate: 'observe',
				now: Date.now,
				onProblem: () => {},
			}),
		noteUsage: (id, usage, at) => engine.note(id, toUsageFact(usage), at),
		[Symbol.asyncDispose]: close,
	});
}

const SILENT = { log: () => {}, hide: () => {} };

async function addRules(env: NodeJS.ProcessEnv, folder: string, rules: readonly NamedRule[]): Promise<Result<void>> {
	const opened = openFoundations({ env, flags: {} });
	if (!opened.ok) return opened;
	await using store = opened.value.store;
	const names = rules.map(([name]) => name);
	const common = { store, runnerId: opened.value.runnerId, now: Date.now };
	const projects = createProjects({ ...common, discovered: () => [] });
	const own = openRunnerStream(common);
	if (!own.ok) return own;
	const book = openRuleBook({ ...common, builtinDenies: [], projects, newId: () => names.shift() ?? '', own: own.value });
	if (!book.ok) return book;
	for (const [, body] of rules) {
		const added = await book.value.add({ ...body, scope: 'project', scopeId: folder }, { name: 'demo', face: 'cli' });
		if (!added.ok) return added;
	}
	return ok(undefined);
}
