// What no agent may do, whatever the rules say: touch Roost's own home, or decide for its user.
import { homedir } from 'node:os';
import { escapeTextGlob } from '@roost/core/rules/text-glob';
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';

const DECIDING = ['allow', 'deny', 'answer', 'rules', 'hooks', 'plugins', 'mcp', 'down'] as const;

export function builtinDenies(home: { data: string; run: string }, userHome = homedir()): Rule[] {
	const places = [...new Set([home.data, home.run].flatMap((path) => spellings(path, userHome))), ...OWN_VARIABLE].map(
		(place, index) => deny(`builtin-home-${index + 1}`, '*', `*${escapeTextGlob(place)}*`),
	);
	const commands = DECIDING.flatMap((word) => [
		deny(`builtin-${word}`, 'Bash', `roost ${word} *`),
		deny(`builtin-path-${word}`, 'Bash', `*/roost ${word} *`),
	]);
	return [...places, ...commands];
}

const OWN_VARIABLE = ['$ROOST_HOME', `\${ROOST_HOME`];

/** As a shell lets it be written; what is put together in other ways only a sandbox keeps out. */
function spellings(path: string, userHome: string): string[] {
	if (!path.startsWith(`${userHome}/`)) return [path];
	const rest = path.slice(userHome.length);
	return [path, `~${rest}`, `$HOME${rest}`, `\${HOME}${rest}`, `"$HOME"${rest}`, `"\${HOME}"${rest}`];
}

function deny(id: string, tool: string, argsPattern: string): Rule {
	return {
		id: ruleId.parse(id),
		tool,
		argsPattern,
		decision: 'deny',
		scope: 'user',
		scopeId: 'user',
		addedBy: 'roost',
		createdAt: 0,
	};
}
