// Globs over tool names: `Bash`, `mcp__github__*`, `{Read,Grep}`; and how a server or a tool is named in one exactly.
import picomatch from 'picomatch';
import { matchesRuns, memoise } from './text-glob.ts';

/**
 * A star matches any characters of a name, slashes, dots and underscores included. `whereTooLong`: the result for a
 * name so long that matching would be slow, because the library backtracks from every star.
 */
export function matchesTool(glob: string, tool: string, whereTooLong = false): boolean {
	if (glob === tool) return true;
	if (STARS_ONLY.test(glob)) return matchesRuns(glob.split('*'), tool);
	if (tool.length > LONGEST_NAME) return whereTooLong;
	return glob.length <= LONGEST_GLOB && compile(glob)(unlikePath(tool));
}

/** Most globs are of this form, which needs no library. */
const STARS_ONLY = /^[\w*-]*$/;
const LONGEST_NAME = 256;

/** A name is no path, but the library takes it for one: no star would match `..`, or a `/./` inside it. */
function unlikePath(text: string): string {
	return `\u{e000}${text.replaceAll('/', '\u{e001}')}`;
}

/** Beyond that the glob library throws, and one such rule must not stop the others. */
const LONGEST_GLOB = 65_535;

const compile = memoise((glob) =>
	picomatch(unlikePath(glob), { bash: true, dot: true, nonegate: true, noextglob: true, strictSlashes: true, flags: 's' }),
);

/** The glob that matches this tool alone. */
export function toolRuleGlob(tool: string): string {
	// Runs of backslashes are not read one by one, so a backslash is written as a class of one.
	return tool.replace(/[^A-Za-z0-9_-]/gu, (character) => (character === '\\' ? '[\\\\]' : `\\${character}`));
}

/** The glob that matches every tool of this MCP server. */
export function serverRuleGlob(server: string): string {
	return `mcp__${toolRuleGlob(server)}__*`;
}

export type McpTool = { server: string; tool: string };

/** Both halves may hold `__`: a known server decides, the longest first; otherwise the first `__` does. */
export function parseMcpTool(name: string, knownServers: readonly string[] = []): McpTool | undefined {
	if (!name.startsWith(MCP)) return undefined;
	const rest = name.slice(MCP.length);
	const known = knownServers.filter((server) => rest.startsWith(`${server}__`)).sort((a, b) => b.length - a.length)[0];
	const at = known?.length ?? rest.indexOf('__', 1);
	if (at <= 0 || rest.length <= at + 2) return undefined;
	return { server: rest.slice(0, at), tool: rest.slice(at + 2) };
}

const MCP = 'mcp__';
