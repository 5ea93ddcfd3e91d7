// Denies every tool call that reaches Roost's own files, however their paths are spelled: paths are resolved, links followed.
import { dirname } from 'node:path';
import { type CallPaths, callPaths } from '@roost/core/paths/call-paths';
import { isGlob, matchesGlob } from '@roost/core/paths/glob-path';
import { MAX_PATH, type PathUse, UNKNOWN } from '@roost/core/paths/path-use';
import type { RunCommand } from '@roost/core/paths/shell-paths';
import type { BuiltinDenial } from '@roost/core/rules/builtin-denial';
import type { ToolCall } from '@roost/core/rules/match';
import { builtinRule, DECIDING } from '../rules/builtin-denies.ts';
import { expandGlob } from './expand-glob.ts';
import { expandHome, type OwnFilesContext, type Place } from './places.ts';
import { listBelow, realNearest, realPaths, sharedInode } from './real-path.ts';

export type OwnFiles = (call: ToolCall, cwd: string) => BuiltinDenial | undefined;

/** Most files of the data folder that patterns and hard links are compared with. */
const MAX_LISTED = 2_000;

export function createOwnFiles(context: OwnFilesContext, ignoreCase = FOLDS_CASE.has(process.platform)): OwnFiles {
	const fold = ignoreCase ? (path: string) => path.toLowerCase() : (path: string) => path;
	return (call, cwd) => {
		const found = callPaths(call, { cwd, variables: context.variables });
		const places = realPlaces(context.places, fold);
		for (const use of found.uses) {
			const place = touched(use, places, context, fold);
			if (place !== undefined) return denial(place.id, `${shown(use.path)} ${REACHES[reachOf(use)]} ${place.what}`);
		}
		return decidingDenial(found.commands, context) ?? unsureDenial(found, call);
	};
}

const FOLDS_CASE: ReadonlySet<string> = new Set(['darwin', 'win32']);
const REACHES = { at: 'belongs to', below: 'contains' } as const;

type RealPlace = Place & { paths: readonly string[]; files: () => readonly string[]; inodes: () => ReadonlySet<string> };

/** Resolved anew for each call: a folder on the way may have become a link. */
function realPlaces(places: readonly Place[], fold: (path: string) => string): RealPlace[] {
	return places.map((place) => {
		const paths = [...new Set([place.path, realNearest(place.path)].map(fold))];
		const files = once(() => (place.readable ? [] : paths.flatMap((path) => listBelow(path, MAX_LISTED))));
		const inodes = once(() => new Set(files().flatMap((file) => sharedInode(file) ?? [])));
		return { ...place, paths, files, inodes };
	});
}

function once<T>(make: () => T): () => T {
	let made: { value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

/** Of the process that asks, not of the runner. */
const OWN_ROOT = /^(?:\/+proc\/+(?:self|thread-self)\/+root(?=\/|$))+/;
const OWN_PROCESS = /^\/+(?:proc\/+(?:self|thread-self)|dev\/+(?:fd|std(?:in|out|err)))(?=\/|$)/;

function touched(
	use: PathUse,
	places: readonly RealPlace[],
	context: OwnFilesContext,
	fold: (path: string) => string,
): RealPlace | undefined {
	if (use.path.length > MAX_PATH) return undefined;
	const path = fold(expandHome(use.path, context).replace(OWN_ROOT, '/').replace(OWN_PROCESS, '/proc/agent'));
	const guarded = places.filter((place) => !place.readable || use.writes);
	if (guarded.length === 0) return undefined;
	if (isGlob(path)) {
		const patterns = realPatterns(path).map(fold);
		return (
			guarded.find((place) => patterns.some((pattern) => globTouches(use, pattern, place))) ??
			(use.search || path.includes(UNKNOWN)
				? undefined
				: expandGlob(path)
						.map((each) => touchedBy(use, each, guarded, fold))
						.find(Boolean))
		);
	}
	if (use.inText) {
		const place = guarded.find((each) => endsAs(path, each, context.userHome));
		if (place !== undefined) return place;
	}
	return touchedBy(use, path, guarded, fold);
}

/** The folders before the first glob, resolved. */
function realPatterns(pattern: string): readonly string[] {
	const names = pattern.split('/');
	const first = names.findIndex(isGlob);
	const fixed = names.slice(0, first).join('/');
	if (!fixed.startsWith('/')) return [pattern];
	return realPaths(fixed).map((real) => [real === '/' ? '' : real, ...names.slice(first)].join('/'));
}

function touchedBy(
	use: PathUse,
	path: string,
	places: readonly RealPlace[],
	fold: (path: string) => string,
): RealPlace | undefined {
	const reals = path.startsWith('/') ? realPaths(path.replaceAll('\0', '')).map(fold) : [];
	const direct = places.find((place) => reals.some((real) => isInside(real, place) || reaches(use, real, place)));
	if (direct !== undefined) return direct;
	const inode = reals.map(sharedInode).find((found) => found !== undefined);
	return inode === undefined ? undefined : places.find((place) => place.inodes().has(inode));
}

function isInside(path: string, { paths }: RealPlace): boolean {
	return paths.some((place) => path === place || path.startsWith(`${place}/`));
}

/** A command that goes through everything below a folder which the place lies in. */
function reaches({ deep }: PathUse, path: string, place: RealPlace): boolean {
	if (deep === undefined) return false;
	const above = path === '/' ? '/' : `${path}/`;
	const way = place.paths.find((each) => each.startsWith(above))?.slice(above.length);
	if (way === undefined || (deep.hidden === false && /(?:^|\/)\./.test(way))) return false;
	if (deep.names === undefined || place.readable) return true;
	return place.files().some((file) => deep.names?.some((name) => matchesGlob(name, lastName(file), { dot: true })));
}

function lastName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

function globTouches(use: PathUse, pattern: string, place: RealPlace): boolean {
	const options = { dot: use.search === true };
	const names = pattern.split('/');
	if (pattern.includes(UNKNOWN) && !isTelling(pattern, place)) return false;
	return place.paths.some((path) => {
		const inside = names.some((_, at) => at > 0 && matchesGlob(names.slice(0, at + 1).join('/'), path, options));
		if (inside && !use.search) return true;
		if (place.files().some((file) => matchesGlob(pattern, file, options))) return true;
		return (
			use.deep !== undefined &&
			ancestorsOf(path).some((above) => matchesGlob(pattern, above, options) && reaches(use, above, place))
		);
	});
}

/** Behind what is not known, the place must be named: `$X/share/roost`, `$X/roost/token`, `/proc/$X/environ`. */
function isTelling(pattern: string, place: RealPlace): boolean {
	if (place.id === 'builtin-runner') return /^\/proc\//.test(pattern);
	const tail = pattern.slice(pattern.lastIndexOf(UNKNOWN) + 1);
	const names = tail.split('/').filter((name) => name !== '');
	return names.length > 1 && place.paths.some((path) => names.includes(lastName(path)));
}

function ancestorsOf(path: string): string[] {
	const above = dirname(path);
	return above === path ? [path] : [above, ...ancestorsOf(above)];
}

/** In code the home folder is often joined to the rest: the path below it is enough. */
function endsAs(path: string, { paths, readable }: RealPlace, userHome: string): boolean {
	if (readable) return false;
	return paths.some((place) => {
		const rest = place.startsWith(`${userHome}/`) ? place.slice(userHome.length) : undefined;
		return rest !== undefined && rest.split('/').length > 2 && `${path}/`.includes(`${rest}/`);
	});
}

function reachOf(use: PathUse): keyof typeof REACHES {
	return use.deep === undefined ? 'at' : 'below';
}

function shown(path: string): string {
	return JSON.stringify(path.replaceAll(UNKNOWN, '…').slice(0, 300));
}

function denial(id: string, why: string): BuiltinDenial {
	return { rule: builtinRule(id, '*'), why };
}

/** Roost's own commands that decide, started by the path of the program or behind options. */
function decidingDenial(commands: readonly RunCommand[], context: OwnFilesContext): BuiltinDenial | undefined {
	for (const command of commands) {
		const word = decidingWord(command.args);
		if (word === undefined || !isRoost(command, context)) continue;
		return denial(
			`builtin-${word}`,
			`"roost ${word}" is for people; agents cannot approve requests or change how they are governed`,
		);
	}
	return undefined;
}

function decidingWord(args: readonly string[]): string | undefined {
	const at = args.findIndex((arg) => !arg.startsWith('-'));
	const candidates = at > 0 && !args[at - 1]?.includes('=') ? args.slice(at, at + 2) : args.slice(at, at + 1);
	return at < 0 ? undefined : candidates.find((word) => (DECIDING as readonly string[]).includes(word));
}

function isRoost({ name, dirs }: RunCommand, context: OwnFilesContext): boolean {
	const last = lastName(name);
	if (last === 'roost') return true;
	if (!name.includes('/') && !/\.[cm]?[jt]s$/.test(name)) return false;
	const path = expandHome(name, context);
	const candidates = path.startsWith('/') ? [path] : dirs.map((dir) => `${expandHome(dir, context)}/${path}`);
	const program = realNearest(context.program);
	return candidates.some((each) => {
		const real = realNearest(each.replaceAll('\0', ''));
		return real.startsWith(`${program}/`) && /^(?:roost|main\.[cm]?[jt]s)$/.test(lastName(real));
	});
}

/** Too much to look at, and it speaks of Roost: that is no everyday call. */
function unsureDenial({ complete }: CallPaths, { input }: ToolCall): BuiltinDenial | undefined {
	if (complete || !/roost/i.test(JSON.stringify(input))) return undefined;
	return denial('builtin-home', 'it is too large to check whether it reaches Roost’s own files; split it into smaller calls');
}
