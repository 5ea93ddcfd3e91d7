// The runner as a process: one per home. Everything it owns is opened here in order, and closed in the reverse order when it ends.
import { createHash, randomUUID } from 'node:crypto';
import { realTimers } from '@roost/agents/timers';
import { type Gateway, type GatewayDeps, startGateway } from '@roost/gateway/gateway';
import type { AskRow } from '@roost/protocol/ask';
import { ok, type Result } from '@roost/protocol/result';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createBackend, type RunnerBackend } from './backend.ts';
import { type ConfigFlags, loadConfig } from './config/load-config.ts';
import { createEngine } from './engine/engine.ts';
import { summariseTranscript } from './engine/summaries.ts';
import { ensureHome, type Home, resolveHome } from './home.ts';
import { ancestorsOf } from './life/ancestors.ts';
import { createDrain } from './life/drain.ts';
import { createIdleEnd, IDLE_MS } from './life/idle.ts';
import { type RunningRunner, readKilledPort, removeRunnerFile, writeRunnerFile } from './life/runner-file.ts';
import { keepHeapSmall } from './life/small-heap.ts';
import { keepToken } from './life/token.ts';
import { createLog, type LogTarget, type RunnerLog } from './log/create-log.ts';
import { logTold } from './log/log-told.ts';
import { createRunnerMetrics } from './metrics/runner-metrics.ts';
import { watchHooks } from './metrics/watch-hooks.ts';
import { watchStore } from './metrics/watch-store.ts';
import { createInstalledProjects, installedDir } from './observed/installed-projects.ts';
import { createInstalledSessions } from './observed/installed-sessions.ts';
import { createLaunchDesk, type LaunchDesk } from './observed/launch-desk.ts';
import { createLaunchFiles } from './observed/launch-files.ts';
import { createSelfApproval } from './observed/self-approval.ts';
import { startHooks } from './observed/start-hooks.ts';
import { createOutboxWatch } from './outbox/outbox-watch.ts';
import { builtinDenies } from './rules/builtin-denies.ts';
import { openRuleBook } from './rules/rule-book.ts';
import { keepRunnerId } from './runner-id.ts';
import { newShortId } from './short-id.ts';
import { VERSION } from './version.ts';

export type ServeOptions = {
	env: NodeJS.ProcessEnv;
	flags: ConfigFlags;
	/** Ends by itself when nobody needs it: for runners that a command started. */
	endWhenIdle: boolean;
	logTo: LogTarget;
	/** Told once it can be reached; `link` makes a new link each time, which logs a browser in once and soon. */
	onUp: (up: { url: string; running: RunningRunner; link: Gateway['link'] }) => void;
	/** Told of each ask that begins to wait or waits no longer, and how many people look. */
	onAsk: (ask: AskRow, watching: number) => void;
};

/** Resolves with the exit code when the runner has ended. */
export async function serve(options: ServeOptions): Promise<Result<number>> {
	keepHeapSmall();
	const journal = createLog(options.logTo, Date.now);
	const warn = (msg: string) => journal.log({ level: 'warn', msg });
	const opened = await openRunner({ ...options, journal, log: warn });
	if (!opened.ok) return opened;
	const { home, gateway, launches, backend, close } = opened.value;
	const running = writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() });
	if (!running.ok) {
		await close();
		return running;
	}
	using drain = createDrain([{ name: 'closing what is open', run: close }], {
		timers: realTimers,
		onProblem: warn,
		exit: process.exit,
	});
	using idle = createIdleEnd({
		isIdle: () => options.endWhenIdle && launches.count() === 0 && gateway.clients() === 0,
		idleMs: IDLE_MS,
		timers: realTimers,
		onIdle: drain.start,
	});
	using _told = {
		[Symbol.dispose]: backend.onTold(({ asks }) => {
			idle.touch();
			for (const ask of asks) options.onAsk(ask, gateway.watching());
		}),
	};
	journal.log({ level: 'info', msg: `the runner is up at ${gateway.url}`, pid: running.value.pid, version: VERSION });
	options.onUp({ url: gateway.url, running: running.value, link: gateway.link });
	const code = await drain.ended;
	journal.log({ level: 'info', msg: 'the runner has ended', code });
	return ok(code);
}

type Opened = { home: Home; gateway: Gateway; launches: LaunchDesk; backend: RunnerBackend; close: () => Promise<void> };

type Opening = ServeOptions & { journal: RunnerLog; log: (sentence: string) => void };

async function openRunner(options: Opening): Promise<Result<Opened>> {
	await using stack = new AsyncDisposableStack();
	const { env } = options;
	const config = loadConfig({ env, flags: options.flags });
	if (!config.ok) return config;
	const home = resolveHome(env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const token = keepToken({ home: home.value, env, auth: config.value.auth });
	if (!token.ok) return token;
	options.journal.hide(token.value);
	const runnerId = keepRunnerId(home.value.runnerId);
	if (!runnerId.ok) return runnerId;
	const store = openSqliteStore({ path: home.value.database, access: 'write' });
	if (!store.ok) return store;
	stack.use(store.value);
	const metrics = createRunnerMetrics({ name: config.value.runner.name, version: VERSION });
	const now = () => performance.now();

	const hash = (text: string) => createHash('sha256').update(text).digest('hex');
	const denies = builtinDenies(home.value);
	const rules = openRuleBook({
		store: store.value,
		runnerId: runnerId.value,
		builtinDenies: denies,
		now: Date.now,
		newId: newShortId,
		hash,
		tell: (entries) => backend.tell(entries),
	});
	if (!rules.ok) return rules;
	const engine = stack.use(
		createEngine({
			store: watchStore(store.value, { now, onAppended: metrics.appended }),
			runnerId: runnerId.value,
			now: Date.now,
			hash,
			newNonce: randomUUID,
			rules: rules.value.list,
			builtinDenies: denies,
			askTimeoutMs: config.value.sdk.approvalTimeoutMs,
			summarise: summariseTranscript,
			timers: realTimers,
		}),
	);
	const installed = stack.use(
		createInstalledSessions({
			engine,
			store: store.value,
			projects: createInstalledProjects(installedDir(home.value)),
			isLaunched: (nativeId) => launches.reports(nativeId),
			now: Date.now,
			log: options.log,
		}),
	);
	const { run: runDir } = home.value;
	const server = await startHooks({ runDir, now: Date.now, newId: randomUUID });
	if (!server.ok) return server;
	stack.use(server.value).serveProjects(installed.findProject);
	const hooks = watchHooks(server.value, { now, onAnswered: metrics.hookAnswered });
	const files = createLaunchFiles(runDir);
	const launches = stack.use(
		createLaunchDesk({ engine, store: store.value, server: hooks, files, now: Date.now, warn: options.log }),
	);
	launches.resume();
	engine.recover(options.log);
	const selfApproval = createSelfApproval({ launches, engine, ancestorsOf, warn: options.log });
	const backend = createBackend({
		runner: { id: runnerId.value, name: config.value.runner.name, version: VERSION },
		store: store.value,
		engine,
		rules: rules.value,
		launches,
		selfApproval,
	});
	if (config.value.hub.enabled) {
		const { maxEvents } = config.value.buffer;
		const watch = createOutboxWatch({ outbox: store.value.outbox, runnerId: runnerId.value, maxEvents, warn: options.log });
		watch.check();
		backend.onTold(watch.check);
	}
	backend.onTold(metrics.told);
	engine.onTold((told) => logTold(options.journal.log, told));
	// Whoever finds this runner up finds on record that there was a gap.
	await engine.settled();
	const gateway = await listen(config.value.runner, readKilledPort(home.value), {
		backend,
		token: token.value,
		log: options.journal.log,
		metrics: (own) => metrics.write({ ...own, asksOpen: backend.asks.list({}).length }),
		onWrongToken: selfApproval.noteWrongToken,
	});
	if (!gateway.ok) return gateway;
	stack.use(gateway.value);
	stack.defer(() => {
		removeRunnerFile(home.value);
	});
	const owned = stack.move();
	return ok({ home: home.value, gateway: gateway.value, launches, backend, close: () => owned.disposeAsync() });
}

/** The usual port is a convenience: clients of a runner that was killed find the next one, and any free one will do. */
async function listen(
	{ host, port }: { host: string; port: number },
	killedPort: number | null,
	given: Omit<GatewayDeps, 'host' | 'port' | 'now' | 'newId'>,
): Promise<Result<Gateway>> {
	const deps = { ...given, host, now: Date.now, newId: randomUUID };
	const isChosen = port !== DEFAULT_PORT && port !== 0;
	const found = await startGateway({ ...deps, port: isChosen ? port : (killedPort ?? port) });
	return found.ok || isChosen ? found : await startGateway({ ...deps, port: 0 });
}

const DEFAULT_PORT = 3100;
