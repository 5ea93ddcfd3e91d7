// The settings of a repository, as `git config -z --list` prints them.

export type GitSetting = readonly [key: string, value: string];

/** Key, newline, value; a key alone means true. */
export function parseSettings(listed: string): GitSetting[] {
	return listed
		.split('\0')
		.filter((entry) => entry !== '')
		.map((entry) => {
			const end = entry.indexOf('\n');
			return end === -1 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)];
		});
}

/** The names of its filters, each of which may run a program. */
export function filtersIn(settings: readonly GitSetting[]): string[] {
	return [...new Set(settings.flatMap(([key]) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []))];
}
