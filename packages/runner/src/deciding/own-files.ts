// Denies tool calls that reach Roost's own files, or run its commands that decide, however they are written.

import type { BuiltinDenial } from '@roost/core/controller/controller';
import { callPaths } from '@roost/core/paths/call-paths';
import { isGlob } from '@roost/core/paths/glob-path';
import { MAX_PATH, type PathUse, UNKNOWN } from '@roost/core/paths/path-use';
import type { RunCommand } from '@roost/core/paths/shell-paths';
import type { ToolCall } from '@roost/core/rules/subject';
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import {
	endsAs,
	expandHome,
	globTouches,
	isInside,
	type OwnFilesContext,
	openPlaces,
	type RealPlace,
	reaches,
} from './places.ts';
import { createGlobExpander, createPathResolver, type GlobExpander, type PathResolver, sharedInode } from './real-path.ts';

export function createOwnFiles(context: OwnFilesContext, ignoreCase = FOLDS_CASE.has(process.platform)) {
	const fold = ignoreCase ? (path: string) => path.toLowerCase() : (path: string) => path;
	return (call: ToolCall, cwd: string): BuiltinDenial | undefined => {
		const found = callPaths(call, { cwd, variables: context.variables });
		const resolver = createPathResolver();
		const globs = createGlobExpander();
		const places = openPlaces(context.places, resolver, fold);
		const search: Search = { context, fold, resolver, globs, places };
		for (const use of withoutRepeats(found.uses)) {
			const place = touched(use, search);
			if (place === undefined) continue;
			const relation = use.deep === undefined ? 'belongs to' : 'is or contains';
			return denial(place.id, `${shown(use.path)} ${relation} ${place.what}`);
		}
		const word = decidingWord(found.commands, context, resolver);
		if (word !== undefined) return denial(`builtin-${word}`, `"roost ${word}" ${FOR_PEOPLE}`);
		// Too large to check, and it mentions Roost.
		const isUnsure = (!found.complete || globs.isSpent) && /roost/i.test(JSON.stringify(call.input));
		return isUnsure ? denial('builtin-home', TOO_LARGE) : undefined;
	};
}

const FOLDS_CASE: ReadonlySet<string> = new Set(['darwin', 'win32']);
const FOR_PEOPLE = 'is for people; agents cannot approve requests or change how they are governed';
const TOO_LARGE = 'the call is too large to check whether it reaches Roost’s own files; split it into smaller calls';

type Search = {
	context: OwnFilesContext;
	fold: (path: string) => string;
	resolver: PathResolver;
	globs: GlobExpander;
	places: readonly RealPlace[];
};

function withoutRepeats(uses: readonly PathUse[]): Iterable<PathUse> {
	return new Map(
		uses.map((use) => [`${use.writes} ${use.inText} ${use.search} ${JSON.stringify(use.deep)} ${use.path}`, use]),
	).values();
}

/** Of the calling process, not of the runner. */
const OWN_ROOT = /^(?:\/+proc\/+(?:self|thread-self)\/+root(?=\/|$))+/;
const OWN_PROCESS = /^\/+(?:proc\/+(?:self|thread-self)|dev\/+(?:fd|std(?:in|out|err)))(?=\/|$)/;

function touched(use: PathUse, search: Search): RealPlace | undefined {
	const { context, fold, globs } = search;
	if (use.path.length > MAX_PATH) return undefined;
	const path = fold(expandHome(use.path, context).replace(OWN_ROOT, '/').replace(OWN_PROCESS, '/proc/agent'));
	const places = search.places.filter((place) => !place.readable || use.writes);
	if (isGlob(path)) {
		const patterns = realPatterns(path, search.resolver).map(fold);
		const matched = places.find((place) => patterns.some((pattern) => globTouches(use, pattern, place)));
		if (matched !== undefined || use.search || path.includes(UNKNOWN)) return matched;
		return globs
			.expand(path)
			.map((each) => touchedBy(use, each, places, search))
			.find((place) => place !== undefined);
	}
	const ending = use.inText ? places.find((place) => endsAs(path, place, context.userHome)) : undefined;
	return ending ?? touchedBy(use, path, places, search);
}

/** Resolves the folders before the first glob. */
function realPatterns(pattern: string, resolver: PathResolver): readonly string[] {
	const names = pattern.split('/');
	const first = names.findIndex(isGlob);
	const fixed = names.slice(0, first).join('/');
	if (!fixed.startsWith('/')) return [pattern];
	return resolver.both(fixed).map((real) => [real === '/' ? '' : real, ...names.slice(first)].join('/'));
}

function touchedBy(use: PathUse, path: string, places: readonly RealPlace[], { fold, resolver }: Search): RealPlace | undefined {
	if (!path.startsWith('/')) return undefined;
	const reals = resolver.both(path.replaceAll('\0', '')).map(fold);
	const direct = places.find((place) => reals.some((real) => isInside(real, place) || reaches(use, real, place)));
	if (direct !== undefined) return direct;
	const inode = reals.map(sharedInode).find((found) => found !== undefined);
	return inode === undefined ? undefined : places.find((place) => place.inodes().has(inode));
}

function shown(path: string): string {
	return JSON.stringify(path.replaceAll(UNKNOWN, '…').slice(0, 300));
}

function denial(id: string, why: string): BuiltinDenial {
	return { rule: builtinRule(id, '*'), why };
}

const DECIDING = ['allow', 'deny', 'answer', 'rules', 'hooks', 'plugins', 'mcp', 'devices', 'down'] as const;

export function builtinDenies(): Rule[] {
	return DECIDING.flatMap((word) => [
		builtinRule(`builtin-${word}`, 'Bash', `roost ${word} *`),
		builtinRule(`builtin-path-${word}`, 'Bash', `*/roost ${word} *`),
	]);
}

function builtinRule(id: string, tool: string, argsPattern?: string): Rule {
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
function decidingWord(commands: readonly RunCommand[], context: OwnFilesContext, resolver: PathResolver): string | undefined {
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
