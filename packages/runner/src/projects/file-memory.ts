// Remembers what was read from a file for as long as the file is the same: its path, size and time of change.

export type FileStamp = { path: string; size: number; mtimeMs: number };

export type FileMemory<T> = { read(file: FileStamp): Promise<T> };

/** The oldest are forgotten first. What throws is not remembered. */
export function createFileMemory<T>(read: (path: string) => Promise<T>, most: number): FileMemory<T> {
	const known = new Map<string, { stamp: string; value: T }>();
	return {
		async read({ path, size, mtimeMs }) {
			const stamp = `${size} ${mtimeMs}`;
			const found = known.get(path);
			if (found?.stamp === stamp) return found.value;
			const value = await read(path);
			known.delete(path);
			known.set(path, { stamp, value });
			const oldest = known.keys().next();
			if (known.size > most && !oldest.done) known.delete(oldest.value);
			return value;
		},
	};
}
