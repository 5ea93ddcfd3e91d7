// The runner as the API sees it: what is stored, what is asked, which rules there are, what is launched.
import { isTransient } from '@roost/core/feed/filter';
import type { Backend, BackendTold } from '@roost/gateway/backend';
import type { RunnerId, SessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { createAskDesk } from './asks/ask-desk.ts';
import type { Engine } from './engine/engine.ts';
import type { LaunchDesk } from './observed/launch-desk.ts';
import type { SelfApproval } from './observed/self-approval.ts';
import { searchRecord } from './record-search.ts';
import type { RuleBook } from './rules/rule-book.ts';

export type RunnerBackend = Backend & {
	/** Stored lines that no session told of. */
	tell(entries: LogEntry[]): void;
};

export function createBackend(deps: {
	runner: { id: RunnerId; name: string; version: string };
	store: Store;
	engine: Engine;
	rules: RuleBook;
	launches: LaunchDesk;
	selfApproval: Pick<SelfApproval, 'judge'>;
}): RunnerBackend {
	const { store, engine, rules, launches } = deps;
	const handlers = new Set<(told: BackendTold) => void>();
	const tell = (told: BackendTold) => {
		for (const handler of handlers) handler(told);
	};
	engine.onTold(({ entries, events, asks }) => tell({ entries, deltas: events.filter(isTransient), asks }));

	return {
		runner: deps.runner,
		record: {
			sessions: (query) => store.sessions(query),
			read: (query) => store.read(query),
			search: (query) => searchRecord(store, query),
		},
		asks: createAskDesk({ engine, rules, projectOf }),
		rules: { ...rules, test: (body) => ok(rules.test(body)) },
		launches: { ...launches, judge: deps.selfApproval.judge },
		onTold(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
		tell: (entries) => tell({ entries, deltas: [], asks: [] }),
	};

	function projectOf(id: SessionId): string {
		const rows = store.sessions({ id });
		return (rows.ok && rows.value[0]?.projectId) || '';
	}
}
