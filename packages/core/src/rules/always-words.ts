// "Always" in words: its choices, the new rules in a sentence, and a warning if they do not cover the call.
import type { AskRow } from '@roost/protocol/ask';
import type { RuleScope } from '@roost/protocol/rule';
import { toolName } from '../display/tools/tool-name.ts';
import { type About, type Always, type AlwaysDecision, rulesOf } from './always.ts';
import { parseMcpTool } from './tool-glob.ts';

export const ABOUT_WORDS: Record<About, string> = { pattern: 'calls like this', tool: 'this tool', server: 'this MCP server' };
export const SCOPE_WORDS: Record<RuleScope, string> = {
	session: 'this session',
	project: 'this project',
	user: 'all my projects',
};

export function alwaysSentence(always: Always, ask: AskRow): string {
	const about =
		always.about === 'server' ? `every tool of ${parseMcpTool(ask.tool)?.server ?? 'its server'}` : toolName(ask.tool);
	const [rule, ...others] = rulesOf(always, ask);
	const where = `in ${SCOPE_WORDS[always.scope]}, and ${always.decision} this one.`;
	if (others.length > 0) return `${others.length + 1} rules: ${always.decision} ${about} ${where}`;
	const what = rule?.argsPattern === undefined ? about : `${about} ${rule.argsPattern}`;
	return `The rule: ${always.decision} ${what} ${where}`;
}

export const UNCOVERED: Record<AlwaysDecision, string> = {
	allow: 'This does not cover all of this call: it would be asked again.',
	deny: 'This does not touch this call: it would be asked again.',
};
