// "Always" as an answer: the decision about one request, and the new rules that come with it.
import type { ApproveBody } from '@roost/protocol/api/answers';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule, RuleScope } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import { isInForce } from './in-force.ts';
import { judge, type RuleScopeIds } from './match.ts';
import { offerPatterns } from './offer-patterns.ts';
import { parseMcpTool, serverRuleGlob, toolRuleGlob } from './tool-glob.ts';

export type About = 'pattern' | 'tool' | 'server';
export type AlwaysDecision = 'allow' | 'deny';

export type Always = {
	readonly decision: AlwaysDecision;
	readonly about: About;
	/** One pattern for each part of a shell line that no rule allows yet; empty ones make no rule. */
	readonly patterns: Readonly<Record<AlwaysDecision, readonly string[]>>;
	readonly scope: RuleScope;
	readonly known: KnownRules;
};

/** Existing rules, and the scope of the call. */
export type KnownRules = { readonly rules: readonly Rule[]; readonly scope: RuleScopeIds };

type Answer = Omit<ApproveBody, 'askId' | 'nonce'>;
type NewRule = { tool: string; argsPattern?: string };

export const DECISIONS = ['allow', 'deny'] as const;
export const SCOPES = ['session', 'project', 'user'] as const;

/** Starts with the narrowest rule: this session, and calls like this one. */
export function startAlways(ask: AskRow, known: KnownRules): Always {
	const patternsFor = (decision: AlwaysDecision) => {
		const offered = offerPatterns(ask, { decision, ...known });
		return offered.length === 0 ? [''] : offered;
	};
	const patterns = { allow: patternsFor('allow'), deny: patternsFor('deny') };
	const isToolOnly = patterns.allow.every((text) => text === '');
	const about = isToolOnly || parseMcpTool(ask.tool) ? 'tool' : 'pattern';
	return { decision: 'allow', about, patterns, scope: 'session', known };
}

type Facts = {
	readonly rules: readonly Rule[];
	readonly sessions: readonly SessionRow[];
	readonly project: { readonly path: string };
	readonly now: number;
};

/** Only rules in force. */
export function knownIn(ask: AskRow, { rules, sessions, project, now }: Facts): KnownRules {
	const own = sessions.find(({ id }) => id === ask.sessionId) ?? sessions.find(({ projectPath }) => projectPath === project.path);
	const projectId = own?.projectId ?? '';
	return { rules: rules.filter((rule) => isInForce(rule, now)), scope: { sessionId: ask.sessionId, projectId } };
}

export function aboutsOf(ask: AskRow): readonly About[] {
	return parseMcpTool(ask.tool) ? ['tool', 'pattern', 'server'] : ['pattern', 'tool'];
}

/** The answer to this ask, with the new rules. */
export function toAnswer(always: Always, ask: AskRow): Result<Answer> {
	const rules = rulesOf(always, ask);
	const [rule] = rules;
	if (rule === undefined) return err(new AppError('bad_request', 'Enter a pattern, or choose the whole tool.'));
	const made = rules.length > 1 ? { rules: [...rules] } : { rule };
	return ok({ decision: always.decision, persist: true, scope: always.scope, ...made });
}

/** Whether the rules would decide this call; an allow has to cover the whole command. */
export function coversCall(always: Always, ask: AskRow): boolean {
	const { rules, scope } = always.known;
	const scopeId = { session: scope.sessionId, project: scope.projectId, user: 'user' }[always.scope];
	const added = rulesOf(always, ask).map(
		(rule, at): Rule => ({
			...rule,
			id: ruleId.parse(`new-${at}`),
			decision: always.decision,
			scope: always.scope,
			scopeId,
			addedBy: 'user',
			createdAt: 0,
		}),
	);
	return judge(ask, [...rules, ...added], scope).decision === always.decision;
}

export function rulesOf({ about, patterns, decision }: Always, ask: AskRow): readonly NewRule[] {
	const server = about === 'server' ? parseMcpTool(ask.tool)?.server : undefined;
	const tool = server === undefined ? toolRuleGlob(ask.tool) : serverRuleGlob(server);
	if (about !== 'pattern') return [{ tool }];
	const texts = patterns[decision].map((text) => text.trim());
	return [...new Set(texts)].filter((text) => text !== '').map((argsPattern) => ({ tool, argsPattern }));
}
