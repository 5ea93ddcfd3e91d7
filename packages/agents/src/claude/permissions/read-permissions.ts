// Permission rules in the user's own Claude settings, translated to rules of Roost: never wider for an allow, exact for a deny or an ask.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { escapeTextGlob } from '@roost/core/rules/text-glob';
import { serverRuleGlob, toolRuleGlob } from '@roost/core/rules/tool-glob';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { RuleDecision } from '@roost/protocol/rule';
import { z } from 'zod';
import type { TranslatedRule, UserPermissions } from '../../kind/agent-kind.ts';
import { readJson, valueAt } from '../../repository/json-file.ts';
import { claudeConfigFolder } from '../transcript/transcript-folders.ts';

export async function readClaudePermissions(env: NodeJS.ProcessEnv): Promise<Result<UserPermissions>> {
	const file = join(claudeConfigFolder(env), 'settings.json');
	const read = await readJson(file);
	if (read.kind === 'absent')
		return err(new AppError('not_found', `${file} not found. There are no permission rules to import.`));
	if (read.kind === 'refused') return err(new AppError('bad_request', `${file} cannot be read because ${read.why}.`));
	const found: UserPermissions = { file, rules: [], skipped: [] };
	for (const decision of ['deny', 'ask', 'allow'] as const) {
		const texts = z
			.array(z.string())
			.optional()
			.safeParse(valueAt(read.value, 'permissions', decision));
		if (!texts.success) return err(new AppError('bad_request', `permissions.${decision} in ${file} is not a list of texts.`));
		for (const text of texts.data ?? []) {
			const translated = translatePermission(decision, text, env.HOME || homedir());
			if ('skipped' in translated) found.skipped.push({ decision, text, why: translated.skipped });
			else found.rules.push(...translated.rules);
		}
	}
	return ok(found);
}

type Translation = { rules: readonly TranslatedRule[] } | { skipped: string };

/** `home`: the value of `~`. A rule that cannot be translated is skipped with the reason. */
export function translatePermission(decision: RuleDecision, text: string, home: string): Translation {
	const [, name = '', specifier] = /^([A-Za-z]\w*(?:-\w+|__\*)*)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
	if (name === '') return skip('it is not a tool name with an optional specifier');
	const rulesFor = (tool: string, patterns: readonly string[]): Translation => ({
		rules: patterns.map((argsPattern) => ({ decision, tool, argsPattern })),
	});
	if (specifier === undefined || specifier === '*') {
		const tool = name.startsWith('mcp__') ? mcpGlob(name) : toolsOf(name, decision);
		return tool === undefined ? skip('it names no MCP server') : { rules: [{ decision, tool }] };
	}
	switch (name) {
		case 'Bash': {
			const pattern = shellPattern(decision, specifier);
			return typeof pattern === 'string' ? rulesFor('Bash', [pattern]) : pattern;
		}
		case 'Read':
		case 'Edit': {
			const patterns = pathPatterns(decision, specifier, home);
			return 'skipped' in patterns ? patterns : rulesFor(toolsOf(name, decision), patterns.paths);
		}
		case 'WebFetch': {
			const patterns = domainPatterns(decision, specifier);
			return 'skipped' in patterns ? patterns : rulesFor('WebFetch', patterns.urls);
		}
		default:
			return skip(`Roost has no pattern for the specifier of ${name}`);
	}
}

function skip(why: string): { skipped: string } {
	return { skipped: why };
}

/** Claude applies Edit rules to every tool that edits files, and Read rules to other reading tools. */
function toolsOf(name: string, decision: RuleDecision): string {
	if (name === 'Edit') return '{Edit,MultiEdit,Write,NotebookEdit}';
	if (name === 'Read' && decision !== 'allow') return '{Read,Grep,Glob,LS,NotebookRead}';
	return name === 'Task' ? 'Agent' : name;
}

function mcpGlob(name: string): string | undefined {
	const [, server = '', tool] = /^mcp__(.+?)(?:__(.+))?$/s.exec(name) ?? [];
	if (server === '' || server.includes('*')) return undefined;
	return tool === undefined || tool === '*' ? serverRuleGlob(server) : toolRuleGlob(name);
}

/** `npm run test:*` is `npm run test *`; a star matches any text, as in Roost. */
function shellPattern(decision: RuleDecision, specifier: string): string | { skipped: string } {
	const prefix = /^(.+):\*$/s.exec(specifier)?.[1];
	const text = prefix === undefined ? specifier : `${prefix} *`;
	if (text.trim() !== text || text === '') return skip('it begins or ends with a space');
	if (/[\r\n\\]/.test(text)) return skip('it holds a backslash or several lines');
	if (prefix?.includes('*')) return skip('it has a * before the :*');
	// A Roost pattern with a redirection also covers appending, and the command without it.
	if (decision === 'allow' && /[<>]/.test(text)) return skip('it names a redirection, for which rules of Roost say more');
	if (text.includes('*') && /[;&|`]|\$\(/.test(text)) return skip('it has a * in a line of several commands');
	return text;
}

/** Only paths that begin with `~/` or `//`, without a star or with `/**` at the end: others depend on the folder or match less. */
function pathPatterns(decision: RuleDecision, specifier: string, home: string): { paths: string[] } | { skipped: string } {
	const absolute = specifier.startsWith('~/')
		? home + specifier.slice(1)
		: specifier.startsWith('//')
			? specifier.slice(1)
			: undefined;
	if (absolute === undefined) return skip('its path depends on the folder that Claude works in');
	const folder = /^(.*[^/])\/\*\*$/s.exec(absolute)?.[1];
	const path = folder ?? absolute;
	if (/[*?[\]{}!\\]/.test(path) || /\/(?:\.\.?)?(?:\/|$)/.test(path)) return skip('it holds a wildcard that Roost does not have');
	const own = escapeTextGlob(path);
	if (folder !== undefined) return { paths: [`${own}/*`] };
	// In Claude the path of a folder includes its contents.
	return { paths: decision === 'allow' ? [own] : [own, `${own}/*`] };
}

function domainPatterns(decision: RuleDecision, specifier: string): { urls: string[] } | { skipped: string } {
	const domain = /^domain:([a-z0-9-]+(?:\.[a-z0-9-]+)*)$/i.exec(specifier)?.[1];
	if (domain === undefined) return skip('it is not one domain without a wildcard');
	if (decision !== 'allow') return skip('a URL can name a domain in more ways than a pattern can');
	return { urls: [`https://${domain}/*`, `http://${domain}/*`] };
}
