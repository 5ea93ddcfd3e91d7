// The rules of this runner: kept in the store, changed only together with the fact that says so.
import type { ControllerContext } from '@roost/core/controller/controller';
import { isInForce } from '@roost/core/rules/in-force';
import { judge, judgeParts } from '@roost/core/rules/match';
import type { RuleBody, RuleHistory, RuleHistoryBody, RuleTestBody, RuleTestResult } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import { type RuleId, type RunnerId, ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Store } from '@roost/store/store';
import type { Projects } from '../record/projects.ts';
import { type RunnerStream, toWho } from '../record/runner-stream.ts';
import { findRuleHistory, toScope } from './rule-history.ts';

export type RuleBook = {
	/** All that were added and not removed, also those that have expired. */
	list(): Rule[];
	/** Those that decide at this moment. */
	inForce(): Rule[];
	add(body: RuleBody, by: Principal): Promise<Result<Rule>>;
	remove(id: RuleId, by: Principal): Promise<Result<void>>;
	/** What the rules would say to this call, and which of them. */
	test(body: RuleTestBody): Promise<Result<RuleTestResult>>;
	/** Which past calls this rule would have matched, and what it would have changed. */
	history(body: RuleHistoryBody): Promise<Result<RuleHistory>>;
};

export type RuleBookDeps = {
	store: Store;
	runnerId: RunnerId;
	projects: Pick<Projects, 'find'>;
	/** Stronger than any rule of this book. */
	builtinDenies: readonly Rule[];
	ownFiles?: ControllerContext['ownFiles'];
	now: () => number;
	newId: () => string;
	own: RunnerStream;
	/** Told of rows that no fact explains, one sentence each. */
	warn?: (sentence: string) => void;
};

export function openRuleBook(deps: RuleBookDeps): Result<RuleBook> {
	// What a row says that no fact explains is not applied: anybody who can write the file could have put it there.
	const checked = deps.store.checkedRules();
	if (!checked.ok) return checked;
	for (const problem of checked.value.problems) deps.warn?.(`${problem} Run "roost verify".`);
	const rules = new Map(checked.value.rules.map((rule) => [rule.id, rule]));

	const inForce = () => [...rules.values()].filter((rule) => isInForce(rule, deps.now()));

	return ok({
		list: () => [...rules.values()],
		inForce,
		async add(body, by) {
			const scoped = await toScope(body, deps.projects);
			if (!scoped.ok) return scoped;
			const createdAt = deps.now();
			const rule: Rule = {
				id: ruleId.parse(deps.newId()),
				tool: body.tool,
				argsPattern: body.argsPattern,
				decision: body.decision,
				scope: body.scope,
				...scoped.value,
				addedBy: toWho(by),
				createdAt,
				...(body.forMs !== undefined && { expiresAt: createdAt + body.forMs }),
			};
			const recorded = await deps.own.record({ kind: 'rule.added', data: { rule } }, { add: [rule] });
			if (!recorded.ok) return recorded;
			rules.set(rule.id, rule);
			return ok(rule);
		},
		async remove(id, by) {
			if (!rules.has(id)) return err(new AppError('not_found', `There is no rule ${id}: run "roost rules" to see them.`));
			// A deny that is gone too early harms more than one that stays a moment longer.
			const recorded = await deps.own.record(
				{ kind: 'rule.removed', data: { rule_id: id, removed_by: toWho(by) } },
				{ remove: [id] },
			);
			if (recorded.ok) rules.delete(id);
			return recorded;
		},
		async test({ tool, input, sessionId: session = '', projectId: named }) {
			const found = named === undefined ? undefined : await deps.projects.find(named);
			if (found && !found.ok) return found;
			const own = deps.ownFiles?.({ tool, input }, found?.value.path ?? '');
			if (own !== undefined) return ok({ decision: 'deny', rule: own.rule });
			const all = [...deps.builtinDenies, ...inForce()];
			const scope = { sessionId: session, projectId: found?.value.id ?? '' };
			const { rules: several, ...verdict } = { rules: undefined, ...judge({ tool, input }, all, scope) };
			const parts = judgeParts({ tool, input }, all, scope);
			return ok({ ...verdict, ...(several && { rules: [...several] }), ...(parts.length > 0 && { parts }) });
		},
		history: (body) => findRuleHistory({ ...deps, rules: inForce }, body),
	});
}
