// The agents that Roost knows by the programs that they are: how each is found, and how it is known for what it is.

export type KnownAgent = {
	/** The name it is asked for by. */
	readonly id: string;
	/** As people know it. */
	readonly title: string;
	/** The program's name, as it is looked for on the PATH. */
	readonly program: string;
	/** What `--version` says; the version is its first group. */
	readonly version: RegExp;
	/** The oldest one that Roost knows to work. */
	readonly oldest: string;
	/** How sessions that people start themselves are observed; null where they are not. */
	readonly observed: string | null;
};

export const KNOWN_AGENTS: readonly KnownAgent[] = [
	{
		id: 'claude',
		title: 'Claude Code',
		program: 'claude',
		version: /^(\d+\.\d+\.\d+)\S* \(Claude Code\)/m,
		oldest: '2.1.0',
		observed: 'roost claude, or hooks in a project',
	},
	{
		id: 'codex',
		title: 'Codex',
		program: 'codex',
		version: /^codex-cli (\d+\.\d+\.\d+)/m,
		oldest: '0.166.0',
		observed: 'roost codex',
	},
	{ id: 'pi', title: 'Pi', program: 'pi', version: /^(\d+\.\d+\.\d+)\S*\s*$/m, oldest: '0.87.1', observed: 'roost pi' },
	{
		id: 'copilot',
		title: 'GitHub Copilot',
		program: 'copilot',
		version: /\bCopilot CLI (\d+\.\d+\.\d+)/,
		oldest: '1.0.102',
		observed: 'roost copilot',
	},
];
