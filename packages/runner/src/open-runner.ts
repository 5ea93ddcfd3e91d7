// A runner with all its parts, opened in order and closed in the reverse order: wiring only, nothing is decided here.
import { randomUUID } from 'node:crypto';
import type { HookServer } from '@roost/agents/hooks/server';
import { type Gateway, type GatewayDeps, type GatewayFigures, startGateway } from '@roost/gateway/gateway';
import type { ConfigFlags } from '@roost/home/config/load-config';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { readKilledPort } from '@roost/home/runner-file';
import { VERSION } from '@roost/home/version';
import { createProcessScans } from '@roost/machine/process-scan';
import { ancestorsOf, hasProc } from '@roost/machine/process-table';
import { realTimers, steadyNow } from '@roost/machine/timers';
import { ok, type Result } from '@roost/protocol/result';
import { openAgentsHere } from './agents/agent-list.ts';
import { createAgentStatus, createOpenIn } from './agents/agent-status.ts';
import { createHookReports } from './agents/hook-reports.ts';
import { type OpenAgentCli, openAgentCli } from './agents/open-agent-cli.ts';
import { createStatusWatch, type StatusWatch } from './agents/status-watch.ts';
import { createBackend, type RunnerBackend } from './backend.ts';
import type { DrivenSessions } from './driven/driven-sessions.ts';
import type { DrivableAgents } from './driven/may-drive.ts';
import { startDriving } from './driven/start-driving.ts';
import { openTerminalMode } from './driven/terminal-mode.ts';
import type { Engine } from './engine/engine.ts';
import { startListening } from './listening.ts';
import type { Launches } from './observed/launches.ts';
import { createSelfApproval, type SelfApproval } from './observed/self-approval.ts';
import { openDeciding } from './open-deciding.ts';
import { logUpdate, type RunnerLog } from './process/create-log.ts';
import { createRunnerMetrics, type RunnerMetrics, watchHooks, watchStore } from './process/runner-metrics.ts';
import { openProjects } from './projects/open-projects.ts';
import type { OpenProjectCatalog } from './projects/project-catalog.ts';
import { openDeviceBook } from './record/device-book.ts';
import { type Foundations, openFoundations } from './record/foundations.ts';
import { createProjects, type Projects } from './record/projects.ts';
import { startTerminals } from './terminals/start-terminals.ts';
import type { Terminals } from './terminals/terminals.ts';

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

export type OpenRunnerOptions = {
	env: NodeJS.ProcessEnv;
	flags: ConfigFlags;
	journal: RunnerLog;
	/** One sentence for the log. */
	warn: (sentence: string) => void;
	/** Agents that it can start itself, by name, in place of those on this machine. */
	drivable?: DrivableAgents | undefined;
	/** The program of `roost` with which terminals are opened; else the one that this process is. */
	roost?: readonly [string, ...string[]] | undefined;
};

export async function openRunner({
	env,
	flags,
	journal,
	warn,
	drivable,
	roost = [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
}: OpenRunnerOptions): Promise<Result<OpenRunner>> {
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
	// Agents may report before the rest of the runner is up.
	let watchStatus: StatusWatch['heard'] = () => {};
	const known = createProjects({ store, runnerId, discovered: () => projects.list().projects });
	const deciding = openDeciding({
		foundations,
		env,
		projects: known,
		written,
		tell: (entries) => backend.tell(entries),
		heard(...report) {
			reports.heard(...report);
			watchStatus(...report);
		},
		warn,
	});
	if (!deciding.ok) return deciding;
	const { engine, rules, own } = deciding.value;
	stack.use(engine);
	const watch = (server: HookServer) => watchHooks(server, { now, onAnswered: metrics.hookAnswered });
	const listening = await startListening({ foundations, engine, projects: known, watch, warn });
	if (!listening.ok) return listening;
	const { launches } = stack.use(listening.value);
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
		tell: (told) => backend.tellPrompts(told),
	});
	stack.use(prompts);
	stack.use(driving);
	const runner = { id: runnerId, name: config.runner.name, version: VERSION };
	const agentCli = stack.use(openAgentCli({ env, agents: config.agents }));
	const desks = { launches, agents, driving, controls, prompts, terminals, projects, agentCli, mcpTrust, selfApproval };
	const statusOf = createAgentStatus({ env, agents: config.agents, reports, terminals, now: Date.now });
	watchStatus = stack.use(createStatusWatch({ session: engine.session, statusOf, timers: realTimers, now: Date.now })).heard;
	const backend = createBackend({ runner, store, engine, rules, own, devices: devices.value, ...desks, statusOf });
	backend.onUpdate(metrics.told);
	engine.onUpdate((told) => logUpdate(journal.log, told));
	// Whoever finds this runner up finds on record that there was a gap.
	await engine.settled();
	const isNamed = flags.port !== undefined && config.runner.port !== 0;
	const gateway = await openGateway(foundations, { isNamed, backend, engine, metrics, selfApproval, log: journal.log });
	if (!gateway.ok) return gateway;
	stack.use(gateway.value);
	const owned = stack.move();
	const close = () => owned.disposeAsync();
	return ok({ home, gateway: gateway.value, engine, known, ...desks, backend, [Symbol.asyncDispose]: close });
}

type GatewayParts = {
	/** The user named the port for this start. */
	isNamed: boolean;
	backend: RunnerBackend;
	engine: Engine;
	metrics: RunnerMetrics;
	selfApproval: SelfApproval;
	log: GatewayDeps['log'];
};

/** The usual port is a convenience: clients of a runner that was killed find the next one, and any free one will do. */
async function openGateway({ config, home, token }: Foundations, parts: GatewayParts): Promise<Result<Gateway>> {
	const { isNamed, backend, engine, metrics, selfApproval, log } = parts;
	const { host, port } = config.runner;
	const deps = {
		backend,
		token,
		log,
		host,
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
