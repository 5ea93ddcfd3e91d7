// The files and folders in which a repository can configure an agent: what they allow, hook, start or set is listed at a launch.

/** `names`: a folder, of which the names of its entries are listed. `present`: only that it is there. */
export type RepositoryFile = { path: string; form: 'json' | 'toml' | 'names' | 'present' };

export function repositoryFiles(form: RepositoryFile['form'], ...paths: readonly string[]): RepositoryFile[] {
	return paths.map((path) => ({ path, form }));
}

/** Several agents read these. */
export const CLAUDE_SETTINGS = repositoryFiles('json', '.claude/settings.json', '.claude/settings.local.json');
export const SHARED_SKILLS = repositoryFiles('names', '.agents/skills');
