// Which past calls a rule would have matched, and what it would have changed: judged by the same controller as live calls.
import { setImmediate } from 'node:timers/promises';
import { type ControllerContext, type ControllerResult, control } from '@roost/core/controller/controller';
import { applies, judge } from '@roost/core/rules/match';
import { mainArgument } from '@roost/core/rules/subject';
import { toKnownEvent } from '@roost/core/runtime/normal-form/read-report';
import type { RuleBody, RuleHistory, RuleHistoryBody, RuleMatch, Ruling } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { type ProjectId, type RunnerId, ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Store } from '@roost/store/store';
import type { Projects } from '../record/projects.ts';
import { type PastCall, readPastCalls } from './past-calls.ts';

type RuleHistoryDeps = {
	store: Store;
	runnerId: RunnerId;
	projects: Pick<Projects, 'find'>;
	rules: () => readonly Rule[];
	builtinDenies: readonly Rule[];
	ownFiles?: ControllerContext['ownFiles'];
	now: () => number;
};

/** Weeks of work; with more, whoever asks would wait for many seconds. */
const MAX_EVENTS = 50_000;
const JUDGED_AT_ONCE = 20;
const LONGEST_ARGUMENT = 500;

export async function findRuleHistory(
	deps: RuleHistoryDeps,
	{ rule: body, calls: limit }: RuleHistoryBody,
): Promise<Result<RuleHistory>> {
	const scoped = await toScope(body, deps.projects);
	if (!scoped.ok) return scoped;
	const { forMs: _, ...said } = body;
	const candidate: Rule = { ...said, id: ruleId.parse('new'), ...scoped.value, addedBy: 'nobody', createdAt: deps.now() };
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
		// Others are served in between.
		if (at % JUDGED_AT_ONCE === 0) await setImmediate();
		if (judge(call, [candidate], call).decision === 'none') continue;
		matches.push(toMatch(call, ruleOn(call, before), ruleOn(call, after)));
	}
	return ok({ looked: { calls: calls.length, since, complete }, matches });
}

function toMatch(call: PastCall, today: Ruling, withRule: Ruling): RuleMatch {
	const { sessionId, offset, ts, tool, became } = call;
	const argument = cut(mainArgument(tool, call.input).text);
	return { sessionId, offset, ts, tool, argument, became, today, withRule, changed: today.decision !== withRule.decision };
}

type Rules = Pick<ControllerContext, 'rules' | 'builtinDenies' | 'ownFiles'> & { paths: ReadonlyMap<ProjectId, string> };

/** As the call would go now: announced first, and then, if somebody had to be asked for it, requested. */
function ruleOn(call: PastCall, rules: Rules): Ruling {
	const announced = rulingOf(hear('PreToolUse', call, rules));
	return announced.decision !== 'none' || !call.asked ? announced : rulingOf(hear('PermissionRequest', call, rules));
}

function hear(
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
	return control(event, { ...rules, scope: { sessionId, projectId }, questionHook: 'PermissionRequest', gate: 'observe' });
}

function rulingOf(result: ControllerResult): Ruling {
	if (!result.handled) return { decision: 'none' };
	if ('ask' in result) return { decision: 'ask', reason: result.ask.reason };
	const { verdict, reason } = result.decision;
	return verdict.type === 'allow' || verdict.type === 'deny' ? { decision: verdict.type, reason } : { decision: 'none' };
}

function cut(text: string): string {
	return text.length > LONGEST_ARGUMENT ? `${text.slice(0, LONGEST_ARGUMENT)}…` : text;
}

type RuleScopeOf = Pick<Rule, 'scopeId' | 'projectPath'>;

export async function toScope(body: RuleBody, projects: Pick<Projects, 'find'>): Promise<Result<RuleScopeOf>> {
	if (body.scope === 'user') return ok({ scopeId: 'user' });
	if (body.scopeId && body.scope === 'session') return ok({ scopeId: body.scopeId });
	const project = body.scopeId ? await projects.find(body.scopeId) : undefined;
	if (project) return project.ok ? ok({ scopeId: project.value.id, projectPath: project.value.path }) : project;
	return err(new AppError('bad_request', `A rule for a ${body.scope} must say which: give its scopeId.`));
}
