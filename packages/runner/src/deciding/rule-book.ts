// The rules of this runner, changed only together with a recorded fact.
import { setImmediate } from 'node:timers/promises';
import { type ControllerContext, type ControllerResult, control } from '@roost/core/controller/controller';
import { isInForce } from '@roost/core/rules/in-force';
import { applies, judge, judgeParts } from '@roost/core/rules/match';
import { mainArgument } from '@roost/core/rules/subject';
import { toKnownEvent } from '@roost/core/runtime/normal-form/read-report';
import type {
	RuleBody,
	RuleHistory,
	RuleHistoryBody,
	RuleMatch,
	RuleTestBody,
	RuleTestResult,
	Ruling,
} from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import { type ProjectId, type RuleId, type RunnerId, ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Store } from '@roost/store/store';
import type { Projects } from '../record/projects.ts';
import { type RunnerStream, toWho } from '../record/runner-stream.ts';
import { type PastCall, readPastCalls } from './past-calls.ts';

export type RuleBook = {
	/** Including expired rules. */
	list(): Rule[];
	inForce(): Rule[];
	add(body: RuleBody, by: Principal): Promise<Result<Rule>>;
	remove(id: RuleId, by: Principal): Promise<Result<void>>;
	test(body: RuleTestBody): Promise<Result<RuleTestResult>>;
	history(body: RuleHistoryBody): Promise<Result<RuleHistory>>;
};

export function openRuleBook(
	deps: Omit<RuleHistoryDeps, 'rules'> & {
		newId: () => string;
		own: RunnerStream;
		/** Called for rows that no fact explains. */
		warn?: (sentence: string) => void;
	},
): Result<RuleBook> {
	// Rows without a fact are not applied: anyone with write access to the file could have added them.
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
			if (!rules.has(id)) return err(new AppError('not_found', `Rule "${id}" not found. Run "roost rules" to list rules.`));
			// Recorded first: a deny rule must not be gone too early.
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

type RuleHistoryDeps = {
	store: Store;
	runnerId: RunnerId;
	projects: Pick<Projects, 'find'>;
	rules: () => readonly Rule[];
	/** Stronger than any rule. */
	builtinDenies: readonly Rule[];
	ownFiles?: ControllerContext['ownFiles'];
	now: () => number;
};

/** Weeks of work; more would take many seconds. */
const MAX_EVENTS = 50_000;
const JUDGED_AT_ONCE = 20;
const LONGEST_ARGUMENT = 500;

export async function findRuleHistory(
	deps: RuleHistoryDeps,
	{ rule: body, calls: limit }: RuleHistoryBody,
): Promise<Result<RuleHistory>> {
	const scoped = await toScope(body, deps.projects);
	if (!scoped.ok) return scoped;
	const { forMs: _, ...given } = body;
	const candidate: Rule = { ...given, id: ruleId.parse('new'), ...scoped.value, addedBy: 'nobody', createdAt: deps.now() };
	const { store, runnerId } = deps;
	const isWanted = (of: Pick<PastCall, 'sessionId' | 'projectId'>) => applies(candidate, of);
	const past = await readPastCalls({ store, runnerId, isWanted, limit, maxEvents: MAX_EVENTS });
	if (!past.ok) return past;
	const { calls, since, complete } = past.value;
	const { builtinDenies, ownFiles } = deps;
	const known = store.projects();
	if (!known.ok) return known;
	const paths = new Map(known.value.map(({ id, path }) => [id, path]));
	const before = { rules: deps.rules(), builtinDenies, ownFiles, paths };
	const after = { ...before, rules: [...before.rules, candidate] };
	const matches: RuleMatch[] = [];
	for (const [at, call] of calls.entries()) {
		// Yields to the event loop.
		if (at % JUDGED_AT_ONCE === 0) await setImmediate();
		if (judge(call, [candidate], call).decision === 'none') continue;
		matches.push(toMatch(call, ruleOn(call, before), ruleOn(call, after)));
	}
	return ok({ looked: { calls: calls.length, since, complete }, matches });
}

function toMatch(call: PastCall, today: Ruling, withRule: Ruling): RuleMatch {
	const { sessionId, offset, ts, tool, became } = call;
	const { text } = mainArgument(tool, call.input);
	const argument = text.length > LONGEST_ARGUMENT ? `${text.slice(0, LONGEST_ARGUMENT)}…` : text;
	return { sessionId, offset, ts, tool, argument, became, today, withRule, changed: today.decision !== withRule.decision };
}

type Rules = Pick<ControllerContext, 'rules' | 'builtinDenies' | 'ownFiles'> & { paths: ReadonlyMap<ProjectId, string> };

/** As for a live call: announced first, and then requested if a person was asked. */
function ruleOn(call: PastCall, rules: Rules): Ruling {
	const announced = rulingOf(judgeAs('PreToolUse', call, rules));
	return announced.decision !== 'none' || !call.asked ? announced : rulingOf(judgeAs('PermissionRequest', call, rules));
}

function judgeAs(
	hookName: 'PreToolUse' | 'PermissionRequest',
	{ tool, input, ts, sessionId, projectId }: PastCall,
	{ paths, ...rules }: Rules,
): ControllerResult {
	const base = {
		id: 'past',
		timestamp: ts,
		sessionId,
		toolName: tool,
		context: { cwd: paths.get(projectId) ?? '', transcriptPath: '' },
		interaction: { expectsDecision: true },
	};
	const event = toKnownEvent(base, hookName, { tool_name: tool, tool_input: input });
	return control(event, {
		...rules,
		scope: { sessionId, projectId },
		questionHook: 'PermissionRequest',
		allowHook: 'PermissionRequest',
		gate: 'observe',
	});
}

function rulingOf(result: ControllerResult): Ruling {
	if (!result.handled) return { decision: 'none' };
	if ('ask' in result) return { decision: 'ask', reason: result.ask.reason };
	const { verdict, reason } = result.decision;
	return verdict.type === 'allow' || verdict.type === 'deny' ? { decision: verdict.type, reason } : { decision: 'none' };
}

async function toScope(body: RuleBody, projects: Pick<Projects, 'find'>): Promise<Result<Pick<Rule, 'scopeId' | 'projectPath'>>> {
	if (body.scope === 'user') return ok({ scopeId: 'user' });
	if (body.scopeId && body.scope === 'session') return ok({ scopeId: body.scopeId });
	const project = body.scopeId ? await projects.find(body.scopeId) : undefined;
	if (project) return project.ok ? ok({ scopeId: project.value.id, projectPath: project.value.path }) : project;
	return err(new AppError('bad_request', `A rule for a ${body.scope} needs a scopeId.`));
}
