// Denies tool calls that reach Roost's own files, however their paths are written: resolves paths and follows links.
import type { BuiltinDenial } from '@roost/core/controller/controller';
import { callPaths } from '@roost/core/paths/call-paths';
import { isGlob } from '@roost/core/paths/glob-path';
import { MAX_PATH, type PathUse, UNKNOWN } from '@roost/core/paths/path-use';
import type { ToolCall } from '@roost/core/rules/subject';
import { builtinRule, decidingWord } from './builtin-denies.ts';
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
