// A runner with all its parts, opened in order and closed in reverse order. Wiring only.
import { randomUUID } from 'node:crypto';
import type { HookServer } from '@roost/agents/hooks/server';
import { type Gateway, type GatewayDeps, type GatewayFigures, startGateway } from '@roost/gateway/gateway';
import type { ConfigFlags } from '@roost/home/config/load-config';
import { createInstalledProjects, installedDir } from '@roost/home/installed-projects';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { readKilledPort } from '@roost/home/runner-file';
import { newShortId } from '@roost/home/short-id';
import { VERSION } from '@roost/home/version';
import type { ProcessLog } from '@roost/machine/create-log';
import { createProcessScans } from '@roost/machine/process-scan';
import { ancestorsOf, hasProc } from '@roost/machine/process-table';
import { sha256 } from '@roost/machine/sha256';
import { realTimers, steadyNow } from '@roost/machine/timers';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { openAgentsHere } from './agents/agent-list.ts';
import {
	createAgentStatus,
	createHookReports,
	createOpenIn,
	createStatusWatch,
	type StatusWatch,
} from './agents/agent-status.ts';
import { type OpenAgentCli, openAgentCli } from './agents/open-agent-cli.ts';
import { createBackend, type RunnerBackend } from './backend.ts';
import { openChanges } from './changes/open-changes.ts';
import { builtinDenies, createOwnFiles } from './deciding/own-files.ts';
import { ownFilesContext } from './deciding/places.ts';
import { openRuleBook, type RuleBook } from './deciding/rule-book.ts';
import type { DrivenSessions } from './driven/driven-sessions.ts';
import type { DrivableAgents } from './driven/may-drive.ts';
import { startDriving } from './driven/start-driving.ts';
import { openTerminalMode } from './driven/terminal-mode.ts';
import { createCommitPace } from './engine/commit-pace.ts';
import { createEngine, type Engine, type EngineDeps } from './engine/engine.ts';
import { summariseTranscript } from './engine/summaries.ts';
import { createUsageCounts } from './engine/usage-counts.ts';
import { createInstalledSessions } from './observed/installed-sessions.ts';
import { createLaunchFiles } from './observed/launch-files.ts';
import { createLaunches, type Launches } from './observed/launches.ts';
import { createSelfApproval, type SelfApproval } from './observed/self-approval.ts';
import { startHooks } from './observed/start-hooks.ts';
import { logUpdate } from './process/log-update.ts';
import { createRunnerMetrics, type RunnerMetrics, watchHooks, watchStore } from './process/runner-metrics.ts';
import { type OpenProjectCatalog, openProjects } from './projects/project-catalog.ts';
import { announceAsks } from './push/announce-asks.ts';
import { openPush } from './push/open-push.ts';
import { openDeviceBook } from './record/device-book.ts';
import { type Foundations, openFoundations } from './record/foundations.ts';
import { createProjects, type Projects } from './record/projects.ts';
import { openRunnerStream, type RunnerStream } from './record/runner-stream.ts';
import { createSessionProofs, createThreadProver } from './record/session-proofs.ts';
import type { Terminals } from './terminals/terminals.ts';
import { startTerminals } from './terminals/tmux-terminals.ts';
import { openUplink } from './uplink/open-uplink.ts';

export type OpenRunner = AsyncDisposable &
	Pick<Foundations, 'home'> & {
		gateway: Gateway;
		engine: Engine;
		launches: Launches;
		driving: DrivenSessions;
		agentCli: OpenAgentCli;
		terminals: Terminals;
		projects: OpenProjectCatalog;
		known: Projects;
		backend: RunnerBackend;
	};

type OpenRunnerOptions = {
	env: NodeJS.ProcessEnv;
	flags: ConfigFlags;
	journal: ProcessLog;
	warn: (sentence: string) => void;
	/** Replaces the agents on this machine. */
	drivable?: DrivableAgents | undefined;
	/** The `roost` program for terminals; by default this process's own. */
	roost?: readonly [string, ...string[]] | undefined;
};

export async function openRunner(options: OpenRunnerOptions): Promise<Result<OpenRunner>> {
	const { env, flags, journal, warn, drivable, roost = [process.execPath, ...process.execArgv, process.argv[1] ?? ''] } = options;
	await using stack = new AsyncDisposableStack();
	const opened = openFoundations({ env, flags });
	if (!opened.ok) return opened;
	const foundations = opened.value;
	const { store, config, home, runnerId } = foundations;
	stack.use(store);
	journal.hide(foundations.token);
	const metrics = createRunnerMetrics({ name: config.runner.name, version: VERSION });
	const now = () => performance.now();

	const written = watchStore(store, { now, onAppended: metrics.appended });
	const reports = createHookReports({ now: Date.now });
	// Set later: agents may report before the rest of the runner is up.
	let watchStatus: StatusWatch['received'] = () => {};
	const known = createProjects({ store, runnerId, discovered: () => projects.list().projects });
	const deciding = openDeciding(foundations, {
		env,
		projects: known,
		written,
		onStored: (entries) => backend.emit({ entries }),
		received(...report) {
			reports.received(...report);
			watchStatus(...report);
		},
		warn,
	});
	if (!deciding.ok) return deciding;
	const { engine, rules, own } = deciding.value;
	stack.use(engine);
	const watch = (server: HookServer) => watchHooks(server, { now, onAnswered: metrics.hookAnswered });
	const listening = await startListening(stack, foundations, { engine, projects: known, watch, warn });
	if (!listening.ok) return listening;
	const launches = listening.value;
	engine.recover(warn);

	const selfApproval = createSelfApproval({
		launches,
		engine,
		ancestorsOf,
		scan: hasProc() ? createProcessScans() : null,
		warn,
	});
	const mcpTrust = createMcpTrust(home);
	const devices = openDeviceBook({ home, store, runnerId, own, now: Date.now, warn });
	if (!devices.ok) return devices;
	const push = openPush({
		home,
		store,
		runnerId,
		own,
		devices: devices.value,
		name: config.runner.name,
		hosts: config.push.hosts,
		now: Date.now,
		warn,
	});
	if (!push.ok) return push;
	stack.use(push.value);
	const terminals = stack.use(await startTerminals({ foundations, engine, folderOf: known.folderOf, env, warn }));
	const projects = stack.use(openProjects({ home, config, env, identify: known.identify, warn }));
	const agents = stack.use(
		openAgentsHere({ env, config, mcpTrust, runDir: home.run, dataDir: home.data, warn, brought: drivable }),
	);
	const { driving, controls, prompts } = await startDriving({
		engine,
		store,
		drivable: agents.drivable,
		defaultAgent: config.runtime.default,
		whyNotHere: agents.whyNot,
		runDir: home.run,
		reports: launches.reports,
		openIn: createOpenIn({ env, agents: config.agents }),
		terminal: openTerminalMode({ terminals, roost, config, env }),
		findPast: projects.findResumable,
		projects: known,
		now: Date.now,
		warn,
		onQueueChange: (update) => backend.emit({ prompts: [update] }),
	});
	stack.use(prompts);
	stack.use(driving);
	const runner = { id: runnerId, name: config.runner.name, version: VERSION };
	const agentCli = stack.use(openAgentCli({ env, agents: config.agents }));
	const changes = stack.use(
		openChanges({ home, engine, store, driving, warn, onChanged: (id) => backend.emit({ changed: [id] }) }),
	);
	const parts = { launches, agents, driving, controls, prompts, changes, terminals, projects, agentCli, mcpTrust, selfApproval };
	const statusOf = createAgentStatus({ env, agents: config.agents, reports, terminals, now: Date.now });
	watchStatus = stack.use(createStatusWatch({ session: engine.session, statusOf, timers: realTimers, now: Date.now })).received;
	const proofs = createSessionProofs({ store, prove: createThreadProver(home) });
	const backend = createBackend({
		runner,
		store,
		engine,
		rules,
		own,
		devices: devices.value,
		push: push.value.book,
		...parts,
		statusOf,
		proofs,
		uplink: () => uplink,
	});
	backend.onUpdate(metrics.updated);
	engine.onUpdate((update) => logUpdate(journal.log, update));
	// A gap is on record before clients can connect.
	await engine.settled();
	const isNamed = flags.port !== undefined && config.runner.port !== 0;
	const gateway = await openGateway(foundations, { isNamed, backend, engine, metrics, selfApproval, log: journal.log });
	if (!gateway.ok) return gateway;
	const { api } = stack.use(gateway.value);
	const { onUpdate, receipts, screens } = backend;
	// Closed before the gateway, whose operations it calls.
	const uplink = stack.use(
		openUplink({ home, config, runnerId, store, own, api, receipts, onUpdate, screens, log: journal.log }),
	);
	uplink.connect();
	stack.use(
		announceAsks({
			pending: () => engine.asks.list({}),
			onAsks: (handler) => engine.onUpdate(({ asks }) => void (asks.length > 0 && handler())),
			isWatched: () => gateway.value.watching() > 0,
			send: push.value.send,
			timers: realTimers,
		}),
	);
	const owned = stack.move();
	const close = () => owned.disposeAsync();
	return ok({ home, gateway: gateway.value, engine, known, ...parts, backend, [Symbol.asyncDispose]: close });
}

/** A configured or named port is required. Otherwise it prefers that of a killed runner, then the default, then any free one. */
async function openGateway(
	{ config, home, token }: Foundations,
	parts: {
		/** The user named the port for this start. */
		isNamed: boolean;
		backend: RunnerBackend;
		engine: Engine;
		metrics: RunnerMetrics;
		selfApproval: SelfApproval;
		log: GatewayDeps['log'];
	},
): Promise<Result<Gateway>> {
	const { isNamed, backend, engine, metrics, selfApproval, log } = parts;
	const { host, port } = config.runner;
	const deps = {
		backend,
		token,
		log,
		host,
		origins: config.web.origins,
		now: steadyNow,
		newId: randomUUID,
		metrics: (own: GatewayFigures) => metrics.write({ ...own, asksOpen: engine.asks.list({}).length }),
		onWrongToken: selfApproval.noteWrongToken,
		judgePeer: selfApproval.judgePeer,
	};
	const isChosen = isNamed || (port !== DEFAULT_PORT && port !== 0);
	const found = await startGateway({ ...deps, port: isChosen ? port : (readKilledPort(home) ?? port) });
	return found.ok || isChosen ? found : await startGateway({ ...deps, port: 0 });
}

const DEFAULT_PORT = 3100;

/** The rules and the engine over one record. */
function openDeciding(
	{ store, runnerId, home, config }: Foundations,
	deps: {
		env: NodeJS.ProcessEnv;
		projects: Projects;
		/** The store for the engine, with timed writes. */
		written: Store;
		onStored: (entries: LogEntry[]) => void;
		received: EngineDeps['received'];
		warn: (sentence: string) => void;
	},
): Result<{ rules: RuleBook; own: RunnerStream; engine: Engine }> {
	const ownFiles = createOwnFiles(ownFilesContext(home, deps.env));
	const common = { ...deps, runnerId, builtinDenies: builtinDenies(), ownFiles, now: Date.now };
	const own = openRunnerStream({ ...common, store });
	if (!own.ok) return own;
	const rules = openRuleBook({ ...common, store, newId: newShortId, own: own.value });
	if (!rules.ok) return rules;
	const engine = createEngine({
		...common,
		store: deps.written,
		hash: sha256,
		newNonce: randomUUID,
		rules: rules.value.inForce,
		askTimeoutMs: config.sdk.approvalTimeoutMs,
		summarise: summariseTranscript,
		count: createUsageCounts(),
		timers: realTimers,
		pace: createCommitPace({ timers: realTimers, now: () => performance.now() }),
	});
	return ok({ rules: rules.value, own: own.value, engine });
}

/** Agents that were launched through the runner, and those of projects with installed hooks. */
async function startListening(
	stack: AsyncDisposableStack,
	{ store, home, config }: Foundations,
	deps: { engine: Engine; projects: Projects; watch: (server: HookServer) => HookServer; warn: (sentence: string) => void },
): Promise<Result<Launches>> {
	const { engine, projects, watch, warn } = deps;
	const installed = stack.use(
		createInstalledSessions({
			engine,
			installed: createInstalledProjects(installedDir(home)),
			identify: projects.identify,
			isLaunched: (nativeId) => launches.reports(nativeId),
			now: Date.now,
			log: warn,
		}),
	);
	const server = await startHooks({ runDir: home.run, now: Date.now, newId: randomUUID });
	if (!server.ok) return server;
	stack.use(server.value).serveProjects(installed.findProject);
	const launches = stack.use(
		createLaunches({
			engine,
			store,
			server: watch(server.value),
			files: createLaunchFiles(home.run),
			projects,
			askTimeoutMs: config.sdk.approvalTimeoutMs,
			now: Date.now,
			warn,
		}),
	);
	launches.resume();
	return ok(launches);
}
