// The files and folders in which a repository can configure an agent: what they allow, hook, start or set is listed at a launch.
import type { LaunchedAgent } from '@roost/protocol/api/launches';

/** `names`: a folder, of which the names of its entries are listed. `present`: only that it is there. */
export type RepositoryFile = { path: string; form: 'json' | 'toml' | 'names' | 'present' };

const CLAUDE_SETTINGS = all('json', '.claude/settings.json', '.claude/settings.local.json');
const SHARED_SKILLS = all('names', '.agents/skills');

export const REPOSITORY_FILES: Readonly<Record<LaunchedAgent, readonly RepositoryFile[]>> = {
	claude: [
		...CLAUDE_SETTINGS,
		...all('json', '.mcp.json'),
		...all('names', '.claude/agents', '.claude/commands', '.claude/skills'),
	],
	codex: [
		...all('toml', '.codex/config.toml'),
		...all('json', '.codex/hooks.json'),
		...all('names', '.codex/rules', '.codex/agents', '.codex/skills'),
		...SHARED_SKILLS,
	],
	copilot: [
		...all('names', '.github/hooks', '.github/extensions'),
		...all('json', '.github/copilot/settings.json', '.github/copilot/settings.local.json'),
		...CLAUDE_SETTINGS,
		...all('json', '.mcp.json', '.github/mcp.json', '.vscode/mcp.json', '.copilot/mcp-config.json', '.github/lsp.json'),
		...all('names', '.github/agents', '.claude/agents', '.github/skills', '.claude/skills'),
		...SHARED_SKILLS,
	],
	pi: [
		...all('json', '.pi/settings.json'),
		...all('names', '.pi/extensions', '.pi/skills', '.pi/prompts', '.pi/themes'),
		...all('present', '.pi/SYSTEM.md', '.pi/APPEND_SYSTEM.md'),
		...SHARED_SKILLS,
	],
};

function all(form: RepositoryFile['form'], ...paths: readonly string[]): RepositoryFile[] {
	return paths.map((path) => ({ path, form }));
}
