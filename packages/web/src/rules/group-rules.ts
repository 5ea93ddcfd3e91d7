// Rules by where they apply: everywhere first, then each project, then each session.
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';

export type RuleGroup = { readonly key: string; readonly title: string; readonly rules: readonly Rule[] };

export function groupRules(rules: readonly Rule[], sessions: readonly SessionRow[]): RuleGroup[] {
	const groups = new Map<string, Rule[]>();
	const ordered = SCOPES.flatMap((scope) => rules.filter((rule) => rule.scope === scope));
	for (const rule of ordered) {
		const key = `${rule.scope} ${rule.scopeId}`;
		groups.set(key, [...(groups.get(key) ?? []), rule]);
	}
	return [...groups].map(([key, own]) => ({ key, title: titleOf(own[0], sessions), rules: own.toSorted(newestFirst) }));
}

const SCOPES = ['user', 'project', 'session'] as const;

function newestFirst(a: Rule, b: Rule): number {
	return b.createdAt - a.createdAt;
}

function titleOf(rule: Rule | undefined, sessions: readonly SessionRow[]): string {
	if (rule === undefined || rule.scope === 'user') return 'All my projects';
	if (rule.scope === 'project') return `Project: ${rule.projectPath ?? rule.scopeId}`;
	return `Session: ${sessions.find(({ id }) => id === rule.scopeId)?.title || rule.scopeId}`;
}

/** Rules that contain every word. */
export function filterRules(rules: readonly Rule[], words: string): readonly Rule[] {
	const wanted = words.toLowerCase().split(/\s+/u);
	return rules.filter((rule) => {
		const text = [rule.id, rule.decision, rule.tool, rule.argsPattern, rule.projectPath, rule.addedBy].join(' ').toLowerCase();
		return wanted.every((word) => text.includes(word));
	});
}
