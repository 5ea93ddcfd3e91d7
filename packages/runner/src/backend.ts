// The runner behind the API: a handler for each operation that needs the record, the sessions or the machine.
import { isTransient } from '@roost/core/feed/filter';
import { createRedactor, type Redactor } from '@roost/core/redaction/redact';
import type { Backend, BackendUpdate, DeviceBook, PushBook } from '@roost/gateway/operations/backend';
import type { McpTrust } from '@roost/home/mcp-trust';
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import { sha256 } from '@roost/machine/sha256';
import { AppError } from '@roost/protocol/app-error';
import { askId, type RunnerId, type SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { AgentsHere } from './agents/agent-list.ts';
import type { ReadAgentStatus } from './agents/agent-status.ts';
import type { OpenAgentCli } from './agents/open-agent-cli.ts';
import type { OpenChanges } from './changes/open-changes.ts';
import { createAskAnswers, createReadFileBefore } from './deciding/ask-answers.ts';
import type { RuleBook } from './deciding/rule-book.ts';
import type { DrivenSessions } from './driven/driven-sessions.ts';
import { createMcpTrustCommands } from './driven/mcp-trust-commands.ts';
import type { PromptQueues } from './driven/prompt-queues.ts';
import type { SessionControls } from './driven/session-controls.ts';
import type { Engine } from './engine/engine.ts';
import { createSessionLabels } from './engine/session-labels.ts';
import type { Launches } from './observed/launches.ts';
import type { SelfApproval } from './observed/self-approval.ts';
import type { ProjectCatalog } from './projects/project-catalog.ts';
import { promiseResult } from './record/command.ts';
import { createReceipts, type RunnerReceipts } from './record/receipts.ts';
import { readUsage, searchRecord } from './record/record-search.ts';
import type { RunnerStream } from './record/runner-stream.ts';
import { createSessionRows, listSessions } from './record/session-list.ts';
import type { SessionProofs } from './record/session-proofs.ts';
import type { Terminals } from './terminals/terminals.ts';
import type { Uplink } from './uplink/open-uplink.ts';

export type RunnerBackend = Backend & {
	readonly receipts: RunnerReceipts;
	/** Updates that do not come from the engine. */
	emit(update: Partial<BackendUpdate>): void;
};

type BackendDeps = {
	runner: { id: RunnerId; name: string; version: string };
	store: Store;
	engine: Engine;
	rules: RuleBook;
	launches: Launches;
	agents: AgentsHere;
	driving: DrivenSessions;
	controls: SessionControls;
	prompts: PromptQueues;
	changes: Pick<OpenChanges, 'handlers'>;
	agentCli: Pick<OpenAgentCli, 'handlers'>;
	mcpTrust: McpTrust;
	own: RunnerStream;
	devices: DeviceBook;
	push: PushBook;
	terminals: Pick<Terminals, 'list' | 'open' | 'close' | 'attach'>;
	projects: ProjectCatalog;
	statusOf: ReadAgentStatus;
	proofs: SessionProofs;
	selfApproval: Pick<SelfApproval, 'judge'>;
	uplink: () => Pick<Uplink, 'status' | 'connect'>;
};

export function createBackend(deps: BackendDeps): RunnerBackend {
	const { engine, prompts, launches, devices, terminals } = deps;
	const redactor = createRedactor(sha256);
	const handlers = createListeners<[BackendUpdate]>();
	const emit = (update: Partial<BackendUpdate>) => {
		for (const error of handlers.emit({ ...NOTHING, ...update })) warnOfFailure('A listener of the backend', error);
	};
	engine.onUpdate(({ entries, events, asks }) => emit({ entries, deltas: events.filter(isTransient), asks }));

	return {
		runner: deps.runner,
		...sessionHandlers(deps),
		...decidingHandlers(deps, redactor),
		...machineHandlers(deps),
		receipts: createReceipts({
			store: deps.store,
			keep: deps.own.keep,
			recall: (name, { askId: id }) => (name.startsWith('asks.') ? engine.asks.find(askId.parse(id)) : undefined),
			redact: (result) => redactor.redact(result).value,
			now: Date.now,
		}),
		log: {
			read: (query) => deps.store.read('stream' in query ? query : { ...query, runnerId: deps.runner.id }),
			lastOffset: (stream) => deps.store.lastOffset(stream),
			epoch: () => deps.store.epoch(),
			head: () => lastSeqNo(deps.store, deps.runner.id),
		},
		hubLink: { status: () => deps.uplink().status(), connect: () => deps.uplink().connect() },
		sessionRows: createSessionRows(deps.store),
		exportSession: deps.proofs.export,
		liveView: (id) => engine.viewOf(id),
		deviceBook: devices,
		pushBook: deps.push,
		screens: { attach: terminals.attach },
		pending: () => ({ asks: engine.asks.list({}), prompts: prompts.all(), enforced: launches.enforced() }),
		onUpdate: handlers.add,
		emit,
	};
}

const NOTHING: BackendUpdate = { entries: [], deltas: [], asks: [], prompts: [], changed: [] };

function sessionHandlers(deps: BackendDeps): Pick<Backend, 'record' | 'sessions' | 'settings' | 'queue' | 'changes'> {
	const { store, engine, proofs, driving, controls, prompts, changes, statusOf } = deps;
	const labels = createSessionLabels({ engine, now: Date.now });
	return {
		record: {
			sessions: (query) => listSessions(store, query),
			async session({ id }) {
				const rows = store.sessions({ id });
				if (!rows.ok) return rows;
				const [row] = rows.value;
				if (!row) return err(new AppError('not_found', 'Session not found. GET /api/v1/sessions lists sessions.'));
				return ok({ ...row, driving: driving.describe(row), agentStatus: await statusOf(row) });
			},
			verify: ({ id }) => proofs.verify(id),
			search: (query) => searchRecord(store, query),
			usage: (query) => readUsage(store, query),
		},
		sessions: {
			create: (body) => driving.create(body),
			message: ({ id, text }) => driving.message(id, text),
			interrupt: ({ id }) => driving.interrupt(promised(id)),
			resume: ({ id }) => driving.resume(promised(id)),
			end: ({ id }) => driving.end(promised(id)),
			fork: ({ id, upTo }) => controls.fork(id, upTo),
			rename: ({ id, title }) => labels.rename(promised(id), title),
			archive: ({ id, archived }) => labels.archive(promised(id), archived),
		},
		settings: {
			models: ({ id }) => controls.models(id),
			change: ({ id, ...adjustment }) => controls.adjust(promised(id), adjustment),
			switchMode: ({ id, mode, recording }) => controls.switchMode(promised(id), mode, recording),
		},
		queue: {
			list: ({ id }) => ok(prompts.list(id)),
			edit: ({ id, promptId, text }) => prompts.edit(id, promptId, text),
			cancel: ({ id, promptId }) => prompts.cancel(id, promptId),
			move: ({ id, promptId, to }) => prompts.move(id, promptId, to),
			sendNow: ({ id, promptId }) => driving.sendNow(id, promptId),
		},
		changes: changes.handlers,
	};
}

function decidingHandlers(
	{ store, engine, rules, launches, selfApproval, mcpTrust, own }: BackendDeps,
	redactor: Redactor,
): Pick<Backend, 'asks' | 'rules' | 'launches' | 'projectServers'> {
	const sessionOf = (id: SessionId): SessionRow | undefined => {
		const rows = store.sessions({ id });
		return rows.ok ? rows.value[0] : undefined;
	};
	const projectOf = (id: SessionId) => sessionOf(id)?.projectId ?? '';
	const answers = createAskAnswers({ engine, rules, projectOf, readFileBefore: createReadFileBefore({ sessionOf, redactor }) });
	return {
		asks: {
			list: (query) => ok(answers.list(query)),
			show: ({ askId }) => answers.show(askId),
			approve: ({ id, ...body }, { by }) => answers.approve(id, body, by),
			answer: ({ id, ...body }, { by }) => answers.answer(id, body, by),
		},
		rules: {
			list: () => ok(rules.list()),
			add: (body, { by }) => rules.add(body, by),
			remove: ({ id }, { by }) => rules.remove(id, by),
			test: (body) => rules.test(body),
			history: (body) => rules.history(body),
		},
		launches: {
			open: (body) => launches.open(body),
			show: ({ id }) => launches.describe(id),
			end: ({ id }) => launches.end(id),
			judge: (body) => selfApproval.judge(body),
		},
		projectServers: createMcpTrustCommands(mcpTrust, own),
	};
}

type MachineHandlers = Pick<Backend, 'agents' | 'projects' | 'terminals' | 'plugins' | 'marketplaces' | 'mcp'>;

function machineHandlers({ agents, projects, terminals, agentCli }: BackendDeps): MachineHandlers {
	return {
		...agentCli.handlers,
		agents: {
			list: async () => ok(await agents.list()),
			prove: async (body, { report }) => ok(await agents.prove(body, report)),
		},
		projects: {
			list: () => ok(projects.list()),
			scan: () => ok(projects.scan()),
			sessions: ({ id }) => projects.pastSessions(id),
			events: ({ id, nativeId, ...page }) => projects.pastEvents(id, nativeId, page),
		},
		terminals: {
			list: () => ok(terminals.list()),
			open: (body) => terminals.open(body),
			close: ({ id }) => terminals.close(id),
		},
	};
}

function lastSeqNo(store: Store, id: RunnerId): Result<number> {
	const state = store.outbox.state(id);
	return state.ok ? ok(state.value.lastSeqNo) : state;
}

/** Most commands return the session they are for. */
function promised(id: SessionId): SessionId {
	return promiseResult({ sessionId: id }).sessionId;
}
