// Folders that the user excludes from projects: globs over a folder's name, or over its whole path.
import picomatch from 'picomatch';

export type IsExcluded = (folder: { name: string; path: string }) => boolean;

/** A pattern with a slash is about the whole path, any other about the name, such as `node_modules` or `old-*`. */
export function createExclusion(patterns: readonly string[]): IsExcluded {
	const usable = patterns.filter((pattern) => pattern.length <= LONGEST_GLOB);
	const compile = (pattern: string) => picomatch(pattern, { dot: true, nonegate: true });
	const ofNames = usable.filter((pattern) => !pattern.includes('/')).map(compile);
	const ofPaths = usable.filter((pattern) => pattern.includes('/')).map(compile);
	return ({ name, path }) => ofNames.some((matches) => matches(name)) || ofPaths.some((matches) => matches(path));
}

/** Beyond that the glob library throws. */
const LONGEST_GLOB = 65_536;
