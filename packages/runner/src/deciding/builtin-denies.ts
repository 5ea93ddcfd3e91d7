// Commands of Roost that no agent may run, whatever the rules say: those that decide for the user.
import type { RunCommand } from '@roost/core/paths/shell-paths';
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { expandHome, type OwnFilesContext } from './places.ts';
import type { PathResolver } from './real-path.ts';

const DECIDING = ['allow', 'deny', 'answer', 'rules', 'hooks', 'plugins', 'mcp', 'devices', 'down'] as const;

export function builtinDenies(): Rule[] {
	return DECIDING.flatMap((word) => [
		builtinRule(`builtin-${word}`, 'Bash', `roost ${word} *`),
		builtinRule(`builtin-path-${word}`, 'Bash', `*/roost ${word} *`),
	]);
}

export function builtinRule(id: string, tool: string, argsPattern?: string): Rule {
	return {
		id: ruleId.parse(id),
		tool,
		...(argsPattern !== undefined && { argsPattern }),
		decision: 'deny',
		scope: 'user',
		scopeId: 'user',
		addedBy: 'roost',
		createdAt: 0,
	};
}

/** The subcommand that decides, however Roost's program is started: by name, path, link or node, and behind options. */
export function decidingWord(
	commands: readonly RunCommand[],
	context: OwnFilesContext,
	resolver: PathResolver,
): string | undefined {
	for (const command of commands) {
		const word = decidingArgument(command.args);
		if (word !== undefined && isRoost(command, context, resolver)) return word;
	}
	return undefined;
}

/** The first operand, or the second if the first may be the value of an option. */
function decidingArgument(args: readonly string[]): string | undefined {
	const at = args.findIndex((arg) => !arg.startsWith('-'));
	if (at < 0) return undefined;
	const operands = args.slice(at, at > 0 && !args[at - 1]?.includes('=') ? at + 2 : at + 1);
	return operands.find((word) => (DECIDING as readonly string[]).includes(word));
}

function isRoost({ name, dirs }: RunCommand, context: OwnFilesContext, resolver: PathResolver): boolean {
	if (/(?:^|\/)roost$/.test(name)) return true;
	if (!name.includes('/') && !/\.[cm]?[jt]s$/.test(name)) return false;
	const path = expandHome(name, context).replaceAll('\0', '');
	const candidates = path.startsWith('/') ? [path] : dirs.map((dir) => `${expandHome(dir, context)}/${path}`);
	const program = resolver.real(context.program);
	return candidates.some((each) => {
		const real = resolver.real(each);
		return real.startsWith(`${program}/`) && /\/(?:roost|(?:main|start)\.[cm]?[jt]s)$/.test(real);
	});
}
