// The runner as the API sees it: what is stored, what is asked, which rules there are, what is launched.
import { createHash } from 'node:crypto';
import { createListeners, warnOfFailure } from '@roost/agents/listeners';
import { isTransient } from '@roost/core/feed/filter';
import { createRedactor } from '@roost/core/redaction/redact';
import type { Backend, BackendTold, ProjectDesk, PromptsTold } from '@roost/gateway/backend';
import type { RunnerId, SessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import { createAskDesk } from './asks/ask-desk.ts';
import { createReadFileBefore } from './asks/read-file-before.ts';
import type { DrivenDesk } from './driven/driven-desk.ts';
import type { McpTrust } from './driven/mcp-trust.ts';
import { createMcpTrustDesk } from './driven/mcp-trust-desk.ts';
import type { PromptDesk } from './driven/prompt-desk.ts';
import type { Engine } from './engine/engine.ts';
import type { LaunchDesk } from './observed/launch-desk.ts';
import type { SelfApproval } from './observed/self-approval.ts';
import { searchRecord } from './record-search.ts';
import { readUsage } from './record-usage.ts';
import type { RuleBook } from './rules/rule-book.ts';
import type { RunnerStream } from './runner-stream.ts';
import { createShelf } from './shelf.ts';

export type RunnerBackend = Backend & {
	/** Stored lines that no session told of. */
	tell(entries: LogEntry[]): void;
	tellPrompts(told: PromptsTold): void;
};

export function createBackend(deps: {
	runner: { id: RunnerId; name: string; version: string };
	store: Store;
	engine: Engine;
	rules: RuleBook;
	launches: LaunchDesk;
	agents: Backend['agents'];
	driving: DrivenDesk;
	course: Backend['course'];
	prompts: PromptDesk;
	claudeCli: Pick<Backend, 'plugins' | 'mcp'>;
	mcpTrust: McpTrust;
	own: RunnerStream;
	devices: Backend['devices'];
	terminals: Backend['terminals'];
	projects: ProjectDesk;
	statusOf: Backend['statusOf'];
	selfApproval: Pick<SelfApproval, 'judge'>;
}): RunnerBackend {
	const { store, engine, rules, launches, driving } = deps;
	const redactor = createRedactor((text) => createHash('sha256').update(text).digest('hex'));
	const handlers = createListeners<[BackendTold]>();
	const tell = (told: BackendTold) => {
		for (const error of handlers.tell(told)) warnOfFailure('A listener of the backend', error);
	};
	engine.onTold(({ entries, events, asks }) => tell({ ...NOTHING, entries, deltas: events.filter(isTransient), asks }));

	return {
		runner: deps.runner,
		record: {
			sessions: (query) => store.sessions(query),
			read: (query) => store.read(query),
			search: (query) => searchRecord(store, query),
			usage: (query) => readUsage(store, query),
		},
		asks: createAskDesk({ engine, rules, projectOf, readFileBefore: createReadFileBefore({ sessionOf, redactor }) }),
		rules: { ...rules, test: (body) => ok(rules.test(body)) },
		launches: { ...launches, judge: deps.selfApproval.judge },
		agents: deps.agents,
		driving,
		course: deps.course,
		prompts: { ...deps.prompts, sendNow: driving.sendNow },
		shelf: createShelf({ engine, now: Date.now }),
		plugins: deps.claudeCli.plugins,
		mcp: deps.claudeCli.mcp,
		mcpTrust: createMcpTrustDesk(deps.mcpTrust, deps.own),
		devices: deps.devices,
		terminals: deps.terminals,
		projects: deps.projects,
		statusOf: deps.statusOf,
		onTold(handler) {
			return handlers.add(handler);
		},
		tell: (entries) => tell({ ...NOTHING, entries }),
		tellPrompts: (told) => tell({ ...NOTHING, prompts: [told] }),
	};

	function sessionOf(id: SessionId): SessionRow | undefined {
		const rows = store.sessions({ id });
		return rows.ok ? rows.value[0] : undefined;
	}

	function projectOf(id: SessionId): string {
		return sessionOf(id)?.projectId ?? '';
	}
}

const NOTHING: BackendTold = { entries: [], deltas: [], asks: [], prompts: [] };
