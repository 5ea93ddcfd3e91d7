// A path that a tool call uses, as far as the call shows it. It is compared with protected files.

/** Stands in a path for text that is only known when the call runs; it may hold slashes. */
export const UNKNOWN = '\0';

export type PathUse = {
	/** Absolute unless it begins with `~` or UNKNOWN; may hold glob characters and UNKNOWN. */
	path: string;
	/** Created, changed or deleted, not only read. */
	writes?: boolean;
	/** Everything below it is read or changed too. */
	deep?: Deep;
	/** A search pattern: hidden names match too, and only names are returned. */
	search?: boolean;
	/** A piece of code or text, where how it is put together is not known: the end of a protected path is enough. */
	inText?: boolean;
};

/** `names`: only files whose names match one of these globs. `hidden`: false where hidden folders are left out. */
export type Deep = { names?: readonly string[]; hidden?: boolean };

/** `complete` is false where the call holds more than is looked at. */
export type PathUses = { uses: readonly PathUse[]; complete: boolean };

export type PathContext = {
	cwd: string;
	/** Values of variables that shells expand: `HOME`, `ROOST_HOME` and such. */
	variables: ReadonlyMap<string, string>;
};

/** Longer than any path a system opens. */
export const MAX_PATH = 4_096;
export const MAX_USES = 4_000;
