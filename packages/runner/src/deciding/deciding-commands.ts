// Roost's own commands that decide, however its program is started: by name, by path, by a link, by node, behind options.
import type { RunCommand } from '@roost/core/paths/shell-paths';
import { DECIDING } from './builtin-denies.ts';
import { expandHome, type OwnFilesContext } from './places.ts';
import type { PathResolver } from './real-path.ts';

/** The word by which one of the commands decides. */
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

/** The first operand, or the second where the first may be the value of an option. */
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
