// Rules for people: those that apply here first, then those of other projects and sessions, which are only listed.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { isInForce } from '@roost/core/rules/in-force';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import { toTable } from './table.ts';

/** A rule, where it belongs, and whether it decides anything in this project. */
export type ListedRule = Rule & {
	/** The folder of the project that it belongs to; absent for rules of the user, and of sessions that are not on record. */
	project?: string;
	appliesHere: boolean;
};

/** Those that apply here first. A rule of a session applies in the project of that session. */
export function toListedRules(
	rules: readonly Rule[],
	sessions: readonly SessionRow[],
	here: { projectPath: string; now: number },
): ListedRule[] {
	const listed = rules.map((rule): ListedRule => {
		const session = rule.scope === 'session' ? sessions.find(({ id }) => id === rule.scopeId) : undefined;
		const project = rule.projectPath ?? session?.projectPath;
		const isHere = rule.scope === 'user' || project === here.projectPath;
		return { ...rule, ...(project !== undefined && { project }), appliesHere: isHere && isInForce(rule, here.now) };
	});
	return [...listed.filter(({ appliesHere }) => appliesHere), ...listed.filter(({ appliesHere }) => !appliesHere)];
}

/** `faint` greys out what does not apply. */
export function toRuleList(rules: readonly ListedRule[], now: number, faint: (text: string) => string): string {
	const table = toTable(
		HEADER,
		rules.map((rule) => toCells(rule, now)),
	);
	const [first = '', ...lines] = table.split('\n');
	const here = rules.filter(({ appliesHere }) => appliesHere).length;
	if (here === lines.length) return [first, ...lines].join('\n');
	const others = [NOT_HERE, ...lines.slice(here)].map(faint);
	return [first, ...lines.slice(0, here), ...(here === 0 ? ['No rules apply here.'] : []), '', ...others].join('\n');
}

const HEADER = ['RULE', 'DECISION', 'TOOL', 'PATTERN', 'SCOPE', 'PROJECT', 'EXPIRES', 'BY'];
const NOT_HERE = 'Not applied here (expired, or of another project or session):';

function toCells(rule: ListedRule, now: number): string[] {
	const { id, decision, tool, argsPattern = '', scope, scopeId, project = '', addedBy } = rule;
	return [
		id,
		decision,
		tool,
		argsPattern,
		scope === 'session' ? `session ${scopeId}` : scope,
		project,
		expiryInWords(rule, now) || 'never',
		addedBy,
	];
}

/** Empty for rules that do not expire. */
export function expiryInWords(rule: Pick<Rule, 'expiresAt'>, now: number): string {
	if (rule.expiresAt === undefined) return '';
	return now < rule.expiresAt ? `in ${timeLeft(rule.expiresAt - now)}` : 'expired';
}

/** Rounded up, so that half an hour is 30m at first. */
function timeLeft(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	if (minutes <= 90) return `${minutes}m`;
	return minutes <= 2_880 ? `${Math.ceil(minutes / 60)}h` : `${Math.ceil(minutes / 1_440)}d`;
}

/** `7kq2m4: allow Bash npm test * project /repo, expires in 30m` */
export function ruleInWords(rule: Rule, now: number): string {
	const { id, decision, tool, argsPattern, scope, scopeId, projectPath = scopeId } = rule;
	const where = scope === 'user' ? 'user' : `${scope} ${projectPath}`;
	const expiry = expiryInWords(rule, now);
	const words = [decision, tool, argsPattern, where].filter(Boolean).join(' ');
	return sanitiseLine(`${id}: ${words}${expiry === '' ? '' : `, ${expiry === 'expired' ? expiry : `expires ${expiry}`}`}`);
}
