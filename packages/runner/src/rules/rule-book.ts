// The rules of this runner: kept in the store, changed only together with the fact that says so.

import { type Fact, mapFact } from '@roost/core/feed/mapper';
import { createRedactor } from '@roost/core/redaction/redact';
import { judge } from '@roost/core/rules/match';
import type { RuleBody, RuleHistory, RuleHistoryBody, RuleTestBody, RuleTestResult } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import { projectId, type RuleId, type RunnerId, ruleId, sessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { AppendRequest, Store } from '@roost/store/store';
import { rebuild } from '../engine/rebuild.ts';
import { findRuleHistory } from './rule-history.ts';
import { toScopeId } from './scope-id.ts';

export type RuleBook = {
	list(): Rule[];
	add(body: RuleBody, by: Principal): Promise<Result<Rule>>;
	remove(id: RuleId, by: Principal): Promise<Result<void>>;
	/** What the rules would say to this call, and which of them. */
	test(body: RuleTestBody): RuleTestResult;
	/** Which past calls this rule would have matched, and what it would have changed. */
	history(body: RuleHistoryBody): Promise<Result<RuleHistory>>;
};

export type RuleBookDeps = {
	store: Store;
	runnerId: RunnerId;
	/** Stronger than any rule of this book. */
	builtinDenies: readonly Rule[];
	now: () => number;
	newId: () => string;
	hash: (text: string) => string;
	/** Told of the stored lines, after they are on disk. */
	tell: (entries: LogEntry[]) => void;
};

/** The stream of a runner's own facts; it is no session, but it is kept like one. */
export function runnerStream(id: RunnerId): string {
	return `runner:${id}`;
}

export function openRuleBook(deps: RuleBookDeps): Result<RuleBook> {
	const own = sessionId.parse(runnerStream(deps.runnerId));
	const stored = deps.store.rules();
	if (!stored.ok) return stored;
	const rebuilt = rebuild(deps.store, own, sessionStream(own));
	if (!rebuilt.ok) return rebuilt;
	const { feed } = rebuilt.value.state;
	const redactor = createRedactor(deps.hash);
	const rules = new Map(stored.value.map((rule) => [rule.id, rule]));

	async function record(fact: Fact, change: AppendRequest['rules']): Promise<Result<void>> {
		const event = redactor.redact(mapFact(feed, fact, deps.now())).value;
		const place = { stream: sessionStream(own), sessionId: own, projectId: projectId.parse(own), runnerId: deps.runnerId };
		const receipt = await deps.store.append({ ...place, receivedAt: deps.now(), events: [event], rules: change });
		if (!receipt.ok) return receipt;
		deps.tell(receipt.value.entries);
		return ok(undefined);
	}

	return ok({
		list: () => [...rules.values()],
		async add(body, by) {
			const scoped = toScopeId(body);
			if (!scoped.ok) return scoped;
			const rule: Rule = {
				id: ruleId.parse(deps.newId()),
				tool: body.tool,
				argsPattern: body.argsPattern,
				decision: body.decision,
				scope: body.scope,
				scopeId: scoped.value,
				addedBy: `${by.name}@${by.face}`,
				createdAt: deps.now(),
			};
			const recorded = await record({ kind: 'rule.added', data: { rule } }, { add: [rule] });
			if (!recorded.ok) return recorded;
			rules.set(rule.id, rule);
			return ok(rule);
		},
		async remove(id) {
			if (!rules.has(id)) return err(new AppError('not_found', `There is no rule ${id}: run "roost rules" to see them.`));
			// A deny that is gone too early harms more than one that stays a moment longer.
			const recorded = await record({ kind: 'rule.removed', data: { rule_id: id } }, { remove: [id] });
			if (recorded.ok) rules.delete(id);
			return recorded;
		},
		test({ tool, input, sessionId: session = '', projectId: project = '' }) {
			const verdict = judge({ tool, input }, [...deps.builtinDenies, ...rules.values()], {
				sessionId: session,
				projectId: project,
			});
			return verdict.decision === 'none' ? { decision: 'none' } : { decision: verdict.decision, rule: verdict.rule };
		},
		history: (body) => findRuleHistory({ ...deps, rules: () => [...rules.values()] }, body),
	});
}
