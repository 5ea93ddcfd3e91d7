// Files and folders in which a repository can configure an agent, listed at a launch.

/** `names`: lists the entries of a folder. `present`: only whether it exists. */
export type RepositoryFile = { path: string; form: 'json' | 'toml' | 'names' | 'present' };

export function repositoryFiles(form: RepositoryFile['form'], ...paths: readonly string[]): RepositoryFile[] {
	return paths.map((path) => ({ path, form }));
}

/** Read by several agents. */
export const CLAUDE_SETTINGS = repositoryFiles('json', '.claude/settings.json', '.claude/settings.local.json');
export const SHARED_SKILLS = repositoryFiles('names', '.agents/skills');
