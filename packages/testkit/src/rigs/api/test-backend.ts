// A backend for tests of the API: a real store in memory, and asks, rules and launches in small maps.
import type { Backend, BackendUpdate, PromptsUpdate } from '@roost/gateway/operations/backend';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionDetail } from '@roost/protocol/api/driving';
import type { McpServer } from '@roost/protocol/api/mcp';
import { AppError } from '@roost/protocol/app-error';
import { type AskRow, type AskVerdict, askRow, type Principal } from '@roost/protocol/ask';
import type { CallContext } from '@roost/protocol/contract/operation';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type AskId, ruleId, runnerId, type SessionId, sessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import { findRuleHistory } from '@roost/runner/deciding/rule-book';
import { createMcpTrustCommands } from '@roost/runner/driven/mcp-trust-commands';
import { createReceipts } from '@roost/runner/record/receipts';
import { readUsage, searchRecord } from '@roost/runner/record/record-search';
import { openRunnerStream } from '@roost/runner/record/runner-stream';
import { createSessionRows, listSessions } from '@roost/runner/record/session-list';
import { createSessionProofs, toSessionProof } from '@roost/runner/record/session-proofs';
import type { Terminals } from '@roost/runner/terminals/terminals';
import { createMemoryStore } from '@roost/store/memory-store';
import { toProjectId } from '@roost/store/project-id';
import type { Store } from '@roost/store/store';
import { sampleAgentRow } from '../agents/scripted-agents.ts';
import { sampleAppend, sampleEvent, sampleSession } from '../record/sample-append.ts';
import { createTestProjects } from '../runner/test-engine.ts';
import { createTestTerminals } from '../runner/test-terminals.ts';
import { unwrap } from '../unwrap.ts';
import { createMemoryDevices, createMemoryMcpTrust, createMemoryPush, createWaitingPrompts } from './memory-parts.ts';

export type TestBackend = AsyncDisposable & {
	readonly backend: Backend;
	/** Its record. */
	readonly kept: Store;
	/** Real ones, in real PTYs. */
	readonly terminals: Terminals;
	/** Stores prompts in a session's stream without an update. */
	store(session: string, count: number, text?: string): Promise<LogEntry[]>;
	/** Stores, then sends the update. */
	append(session: string, count: number, text?: string): Promise<LogEntry[]>;
	openAsk(id: string, over?: Partial<AskRow>): AskRow;
	report(reported: Partial<BackendUpdate>): void;
	/** Who answered, in order. */
	readonly answeredBy: readonly Principal[];
	listeners(): number;
};

const RUNNER = runnerId.parse('runner-1');

/** Its sessions are of one project. */
export function createTestBackend({ project = '/project' }: { project?: string } = {}): TestBackend {
	const store = createMemoryStore();
	const handlers = new Set<(reported: BackendUpdate) => void>();
	const asks = createAsks((ask) => report({ asks: [ask] }));
	const terminals = createTestTerminals();
	const seqs = new Map<string, number>();
	let telling = Promise.resolve();

	function report(reported: Partial<BackendUpdate>): void {
		for (const handler of handlers) handler({ entries: [], deltas: [], asks: [], prompts: [], changed: [], ...reported });
	}

	async function storeEvents(session: string, count: number, text?: string): Promise<LogEntry[]> {
		const events = Array.from({ length: count }, () => nextEvent(seqs, session, text));
		const place = { projectId: toProjectId(RUNNER, project), projectPath: project };
		const row = sampleSession(session, { ...place, events: seqs.get(session) ?? 0 });
		return unwrap(await store.append(sampleAppend(session, events, { projectId: row.projectId, session: row }))).entries;
	}

	async function append(session: string, count: number, text?: string): Promise<LogEntry[]> {
		const stored = storeEvents(session, count, text);
		const before = telling;
		const reported = (async () => {
			const entries = await stored;
			await before;
			report({ entries });
			return entries;
		})();
		telling = reported.then(() => {});
		return await reported;
	}

	const { keep } = unwrap(openRunnerStream({ store, runnerId: RUNNER, now: () => 0 }));
	const prove = (id: SessionId) => {
		const report = store.verify(sessionStream(id));
		return Promise.resolve(report.ok ? ok(toSessionProof(report.value)) : report);
	};
	const proofs = createSessionProofs({ store, prove });
	const driving = createDriving((reported) => report({ prompts: [reported] }));
	const backend: Backend = {
		runner: { id: RUNNER, name: 'test', version: '0.1.0' },
		record: {
			sessions: (query) => listSessions(store, query),
			session({ id }) {
				const rows = store.sessions({ id });
				const row = rows.ok ? rows.value[0] : undefined;
				return row ? ok(toDetail(row)) : err(new AppError('not_found', 'Session not found.'));
			},
			verify: ({ id }) => proofs.verify(id),
			search: (query) => searchRecord(store, query),
			usage: (query) => readUsage(store, query),
		},
		receipts: createReceipts({ store, keep, recall: () => undefined, redact: (result) => result, now: () => 0 }),
		log: {
			read: store.read,
			lastOffset: store.lastOffset,
			epoch: store.epoch,
			head() {
				const state = store.outbox.state(RUNNER);
				return state.ok ? ok(state.value.lastSeqNo) : state;
			},
		},
		hubLink: createHubLink(),
		sessionRows: createSessionRows(store),
		liveView: () => undefined,
		exportSession: proofs.export,
		pending: () => ({ asks: asks.pending(), prompts: driving.prompts(), enforced: [] }),
		asks: asks.driven,
		rules: createRules(store),
		launches: createLaunches(),
		...createClaudeCli(),
		terminals: {
			list: () => ok(terminals.list()),
			open: (body) => terminals.open(body),
			close: ({ id }) => terminals.close(id),
		},
		screens: terminals,
		agents: createAgents(),
		...driving.handlers,
		projectServers: createMcpTrustCommands(createMemoryMcpTrust(), { record: async () => ok(undefined) }),
		deviceBook: createMemoryDevices(),
		pushBook: createMemoryPush(),
		projects: createProjects(),
		onUpdate(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
	};
	return {
		backend,
		kept: store,
		terminals,
		store: storeEvents,
		append,
		openAsk: asks.open,
		report,
		answeredBy: asks.answeredBy,
		listeners: () => handlers.size,
		async [Symbol.asyncDispose]() {
			await terminals[Symbol.asyncDispose]();
			await store.close();
		},
	};
}

/** Paired with no hub. */
function createHubLink(): Backend['hubLink'] {
	const status = () => ok({ state: 'off' as const, since: 0, hub: null, behind: 0 });
	return { status, connect: status };
}

function createAgents(): Backend['agents'] {
	return {
		list: () => ok([sampleAgentRow()]),
		prove(_, { report }) {
			report('1 of 1: proving the guard of Scripted agent …');
			return ok([sampleAgentRow({ guarded: 'a hook', guardProof: { state: 'guarded', provenAt: 1 } })]);
		},
	};
}

function nextEvent(seqs: Map<string, number>, session: string, text?: string): FeedEvent {
	const seq = (seqs.get(session) ?? 0) + 1;
	seqs.set(session, seq);
	return sampleEvent(session, seq, text === undefined ? undefined : { kind: 'agent.message', data: { text } });
}

function createAsks(changed: (ask: AskRow) => void) {
	const rows = new Map<AskId, AskRow>();
	const answeredBy: Principal[] = [];

	function open(id: string, over: Partial<AskRow> = {}): AskRow {
		const row = askRow.parse({ ...sampleAsk(id), ...over });
		rows.set(row.id, row);
		changed(row);
		return row;
	}

	const pending = () => [...rows.values()].filter(({ state }) => state === 'pending');

	type Answer = { session: SessionId; askId: AskId; nonce: string; state: AskRow['state']; verdict: AskVerdict; by: Principal };

	async function resolve({ session, askId, nonce, state, verdict, by }: Answer): Promise<Result<AskRow>> {
		const row = rows.get(askId);
		if (!row || row.sessionId !== session) return err(new AppError('not_found', 'Request not found.'));
		if (row.nonce !== nonce) return err(new AppError('bad_request', 'The nonce belongs to another ask.'));
		if (row.state !== 'pending') return err(new AppError('conflict', 'This request was already decided.', { cause: row }));
		const decided: AskRow = { ...row, state, verdict, decidedBy: `${by.name}@${by.face}` };
		rows.set(askId, decided);
		answeredBy.push(by);
		changed(decided);
		return ok(decided);
	}

	const driven: Backend['asks'] = {
		list: ({ all = false }) => ok(all ? [...rows.values()] : pending()),
		show({ askId }) {
			const row = rows.get(askId);
			return row ? ok(row) : err(new AppError('not_found', 'Request not found.'));
		},
		approve({ id: session, askId, nonce, decision, denyMessage = '' }, { by }) {
			const allowed = decision === 'allow';
			const verdict: AskVerdict = allowed ? { type: 'allow' } : { type: 'deny', message: denyMessage };
			return resolve({ session, askId, nonce, state: allowed ? 'allowed' : 'denied', verdict, by });
		},
		answer: ({ id: session, askId, nonce, answers }, { by }) =>
			resolve({ session, askId, nonce, state: 'answered', verdict: { type: 'answer', answers }, by }),
	};
	return { driven, open, pending, answeredBy };
}

function sampleAsk(id: string) {
	return {
		id,
		sessionId: 's1',
		kind: 'permission',
		tool: 'Bash',
		input: { command: 'ls' },
		state: 'pending',
		risk: 'low',
		actorId: 'agent:root',
		eventId: 's1:R1:E1',
		reason: 'no rule',
		openedAt: 0,
		expiresAt: 300_000,
		nonce: `nonce-${id}`,
		inputHash: 'hash',
	};
}

function createRules(store: Store): Backend['rules'] {
	const rules = new Map<string, Rule>();
	return {
		list: () => ok([...rules.values()]),
		add({ scopeId = 'user', ...body }, { by }) {
			const rule: Rule = { ...body, id: ruleId.parse(`rule-${rules.size + 1}`), scopeId, addedBy: by.name, createdAt: 0 };
			rules.set(rule.id, rule);
			return ok(rule);
		},
		remove: ({ id }) => (rules.delete(id) ? ok(undefined) : err(new AppError('not_found', 'Rule not found.'))),
		test({ tool }) {
			const rule = rules.values().find((one) => one.tool === tool);
			return ok(rule ? { decision: rule.decision, rule } : { decision: 'none' });
		},
		history: (body) =>
			findRuleHistory(
				{
					store,
					runnerId: RUNNER,
					projects: createTestProjects(store),
					rules: () => [...rules.values()],
					builtinDenies: [],
					now: () => 0,
				},
				body,
			),
	};
}

function createLaunches(): Backend['launches'] {
	const open = new Set<string>();
	return {
		async open() {
			const launchId = `launch-${open.size + 1}`;
			open.add(launchId);
			const hooks = { httpUrl: 'http://127.0.0.1:1/hooks', socketPath: '/run/roost.sock', secret: 'secret' };
			return ok({ launchId, sessionId: sessionId.parse('s1'), hooks });
		},
		show: ({ id }) =>
			open.has(id) ? ok({ sessionId: sessionId.parse('s1') }) : err(new AppError('not_found', 'Launch not found.')),
		judge: async () => ok({ governedBy: null }),
		end: ({ id }) => (open.delete(id) ? ok({ sessionId: null }) : err(new AppError('not_found', 'Launch not found.'))),
	};
}

/** Plugins and servers in small maps; a name that begins with `no` is refused. */
function createClaudeCli(): Pick<Backend, 'plugins' | 'marketplaces' | 'mcp'> {
	const plugins = new Set<string>();
	const servers = new Map<string, McpServer>();
	const missing = () => err(new AppError('not_found', 'Not found.'));
	const find = (name: string) => {
		const server = servers.get(name);
		return server ? ok({ ...server, env: [], headers: [], unread: '' }) : missing();
	};
	const change =
		(verb: string) =>
		({ plugin }: { plugin: string }, { report }: CallContext) => {
			report(`${verb} ${plugin}`);
			if (plugin.startsWith('no')) return missing();
			plugins.add(plugin);
			return ok({ output: `${verb}: ${plugin}` });
		};
	return {
		plugins: {
			list: async () => ok({ plugins: [...plugins].map((id) => ({ id, enabled: true, more: {} })), available: [], unread: '' }),
			install: change('install'),
			enable: change('enable'),
			disable: change('disable'),
			update: change('update'),
			uninstall: change('uninstall'),
		},
		marketplaces: {
			list: () => ok({ marketplaces: [], unread: '' }),
			add: () => ok({ output: 'add' }),
			remove: () => ok({ output: 'remove' }),
			update: () => ok({ output: 'update' }),
		},
		mcp: {
			list: async () => ok({ servers: [...servers.values()], unread: '' }),
			show: ({ name }) => find(name),
			async add({ name }) {
				servers.set(name, { name, transport: 'stdio', target: '', status: 'connected', says: '' });
				return ok({ output: `added ${name}` });
			},
			remove: async ({ name }) => (servers.delete(name) ? ok({ output: `removed ${name}` }) : missing()),
			logIn({ name }, { report }) {
				report('https://login.example.com');
				return ok({ output: `logged in to ${name}` });
			},
		},
	};
}

/** Agents that are always busy: every prompt waits. Sessions whose id begins with `seen` are only observed. */
function createDriving(onChange: (reported: PromptsUpdate) => void) {
	let made = 0;
	const prompts = createWaitingPrompts(onChange);
	const command = ({ id }: { id: SessionId }) => (isObserved(id) ? err(onlyObserved()) : ok({ sessionId: id }));
	const handlers: Pick<Backend, 'sessions' | 'settings' | 'queue' | 'changes'> = {
		sessions: {
			create: () => ok({ sessionId: sessionId.parse(`driven-${++made}`) }),
			async message({ id, text }) {
				const added = isObserved(id) ? err(onlyObserved()) : await prompts.add(id, text);
				return added.ok ? ok({ promptId: added.value.id, queued: added.value }) : added;
			},
			interrupt: command,
			resume: command,
			end: command,
			fork: ({ id }) => command({ id: sessionId.parse(`${id}-fork${++made}`) }),
			rename: command,
			archive: command,
		},
		settings: { change: command, switchMode: command, models: () => ok([]) },
		queue: prompts.handlers,
		changes: {
			list: () => ok({ isKnown: false, bases: [{ since: 'head' }], why: 'Sessions of this backend have no folder.' }),
			file: () => err(new AppError('conflict', 'This list of changes is outdated.')),
			async review({ id, comments }) {
				const added = isObserved(id) ? err(onlyObserved()) : await prompts.add(id, `${comments.length} comments`);
				return added.ok ? ok({ promptId: added.value.id, queued: added.value }) : added;
			},
		},
	};
	return { handlers, prompts: prompts.all };
}

function isObserved(id: SessionId): boolean {
	return id.startsWith('seen');
}

function toDetail(row: SessionRow): SessionDetail {
	const agentStatus: AgentStatus = { status: 'idle', source: 'hooks', asOf: row.lastEventAt };
	return {
		...row,
		driving: isObserved(row.id) ? { takesPrompts: false, why: onlyObserved().message } : { takesPrompts: true },
		...(row.agent === 'claude' ? { agentStatus } : {}),
	};
}

/** No projects were discovered yet. */
function createProjects(): Backend['projects'] {
	const none = () => err(new AppError('not_found', 'Project not found.'));
	const list = () => ok({ projects: [], problems: [], scannedAt: null, scanning: null });
	return { list, scan: list, sessions: none, events: none };
}

function onlyObserved(): AppError {
	return new AppError('conflict', 'This session is only observed.');
}

export function callAs(by: Principal = { name: 'test', face: 'test' }, report: (line: string) => void = () => {}): CallContext {
	return { by, report };
}
