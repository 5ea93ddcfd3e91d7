// The places that agents may not touch: Roost's data, configuration and program, and the runner's process.
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { matchesGlob } from '@roost/core/paths/glob-path';
import { type PathUse, UNKNOWN } from '@roost/core/paths/path-use';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { configPath } from '@roost/home/config/config-file';
import type { Home } from '@roost/home/home';
import { listBelow, type PathResolver, sharedInode } from './real-path.ts';

type Place = {
	id: 'builtin-home' | 'builtin-config' | 'builtin-program' | 'builtin-runner';
	path: string;
	/** Agents may read it. */
	readable: boolean;
	/** The relevant files, if there are too many to list. */
	files?: readonly string[];
	what: string;
};

export type OwnFilesContext = {
	places: readonly Place[];
	program: string;
	userHome: string;
	userName: string;
	variables: ReadonlyMap<string, string>;
};

export function ownFilesContext(
	home: Pick<Home, 'data' | 'run'>,
	env: NodeJS.ProcessEnv,
	program = PROGRAM_FOLDER,
): OwnFilesContext {
	const secret = 'agents cannot read or change it, because it holds the token and the record';
	const places: Place[] = [
		{ id: 'builtin-home', path: home.data, readable: false, what: `Roost's data folder; ${secret}` },
		{ id: 'builtin-home', path: home.run, readable: false, what: `Roost's runtime folder; ${secret}` },
		{
			id: 'builtin-config',
			path: dirname(configPath(env)),
			readable: false,
			what: "Roost's configuration; agents cannot read or change it, because it decides how they are governed",
		},
		{
			id: 'builtin-program',
			path: program,
			readable: true,
			what: 'the Roost program that runs this runner; agents cannot change it. To develop Roost, start the runner from another copy',
		},
		{
			id: 'builtin-runner',
			path: `/proc/${process.pid}`,
			readable: false,
			files: [`/proc/${process.pid}/environ`, `/proc/${process.pid}/mem`],
			what: "the runner's process; agents cannot read its environment or memory",
		},
	];
	const userHome = env.HOME || homedir();
	const kept = ['HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];
	const known = kept.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
	const variables = new Map([['HOME', userHome], ...known, ['ROOST_HOME', home.data]]);
	return { places, program, userHome, userName: userInfo().username, variables };
}

/** Expands `~`, `~name` and a leading variable, as shells and some tools do. */
export function expandHome(path: string, { userHome, userName, variables }: OwnFilesContext): string {
	const variable = /^\$\{?(\w+)\}?/.exec(path);
	const value = variable === null ? undefined : variables.get(variable[1] ?? '');
	if (variable !== null && value !== undefined) return value + path.slice(variable[0].length);
	const [, name, rest = ''] = /^~([^/]*)(.*)$/s.exec(path) ?? [];
	if (name === undefined) return path;
	return name === '' || name === userName ? userHome + rest : join(dirname(userHome), name) + rest;
}

/** Files are listed only if needed. */
export type RealPlace = Omit<Place, 'files'> & {
	paths: readonly string[];
	files: () => readonly string[];
	inodes: () => ReadonlySet<string>;
};

/** Files of the data folder that patterns and hard links are compared with. */
const MAX_LISTED = 2_000;
const MAX_PREFIXES = 64;

/** Resolved for each call: a parent folder may have become a link. */
export function openPlaces(places: readonly Place[], resolver: PathResolver, fold: (path: string) => string): RealPlace[] {
	return places.map((place) => {
		const paths = [...new Set([place.path, resolver.existing(place.path)].map(fold))];
		const files = once(() => place.files ?? (place.readable ? [] : paths.flatMap((path) => listBelow(path, MAX_LISTED))));
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

export function isInside(path: string, { paths }: RealPlace): boolean {
	return paths.some((place) => path === place || path.startsWith(`${place}/`));
}

/** Whether a recursive command on a parent folder reaches the place. */
export function reaches({ deep }: PathUse, path: string, place: RealPlace): boolean {
	if (deep === undefined) return false;
	const above = path === '/' ? '/' : `${path}/`;
	const way = place.paths.find((each) => each.startsWith(above))?.slice(above.length);
	if (way === undefined || (deep.hidden === false && /(?:^|\/)\./.test(way))) return false;
	if (deep.names === undefined || place.readable) return true;
	return place.files().some((file) => deep.names?.some((name) => matchesGlob(name, lastName(file), { dot: true })));
}

export function globTouches(use: PathUse, pattern: string, place: RealPlace): boolean {
	const options = { dot: use.search === true };
	if (pattern.includes(UNKNOWN) && !namesPlace(pattern, place)) return false;
	return place.paths.some((path) => {
		if (!use.search && prefixesOf(pattern).some((prefix) => matchesGlob(prefix, path, options))) return true;
		if (place.files().some((file) => matchesGlob(pattern, file, options))) return true;
		if (use.deep === undefined) return false;
		return ancestorsOf(path).some((above) => matchesGlob(pattern, above, options) && reaches(use, above, place));
	});
}

/** The pattern and its parents. */
function prefixesOf(pattern: string): string[] {
	const names = pattern.split('/', MAX_PREFIXES);
	return names.slice(1).map((_, at) => names.slice(0, at + 2).join('/'));
}

/** After an unknown part, the place must be named: `$X/share/roost`, `$X/roost/token`, `/proc/$X/environ`. */
function namesPlace(pattern: string, place: RealPlace): boolean {
	if (place.id === 'builtin-runner') return pattern.startsWith('/proc/');
	const tail = pattern.slice(pattern.lastIndexOf(UNKNOWN) + 1);
	const names = tail.split('/').filter((name) => name !== '');
	return names.length > 1 && place.paths.some((path) => names.includes(lastName(path)));
}

function ancestorsOf(path: string): string[] {
	const above = dirname(path);
	return above === path ? [path] : [above, ...ancestorsOf(above)];
}

/** In code the home folder is often joined separately, so the path below it is enough. */
export function endsAs(path: string, { paths, readable }: RealPlace, userHome: string): boolean {
	if (readable) return false;
	return paths.some((place) => {
		const rest = place.startsWith(`${userHome}/`) ? place.slice(userHome.length) : undefined;
		return rest !== undefined && rest.split('/').length > 2 && `${path}/`.includes(`${rest}/`);
	});
}

function lastName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
