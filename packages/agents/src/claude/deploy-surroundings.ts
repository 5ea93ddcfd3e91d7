// What a Claude in a terminal gets of its place: the texts and the servers that its user wants, in files outside the worktree.
import { rm } from 'node:fs/promises';
import { deployFile } from '../base/deploy-file.ts';
import type { Deployed, HooksDef, OverlayContent } from '../base/types.ts';
import type { ReadSurroundings } from './sdk/surroundings.ts';

/** The repository's own settings count for nothing there, so that what it says is handed over here, as to a driven one. */
export async function deploySurroundings(
	{ worktreePath, stateDir }: Pick<HooksDef, 'worktreePath' | 'stateDir'>,
	overlay: OverlayContent | undefined,
	readSurroundings: ReadSurroundings,
): Promise<Deployed> {
	const { instructions, mcpServers } = await readSurroundings(worktreePath);
	const text = [instructions, overlay?.content ?? ''].filter((part) => part.trim() !== '').join('\n\n');
	// Servers may be given secrets, which stand in no argument.
	const servers = deployFile(stateDir, { mcpServers }, 'claude-mcp.json');
	const files = text === '' ? [servers] : [servers, deployFile(stateDir, text, 'claude-instructions.md')];
	return {
		argv: [
			`--mcp-config=${servers}`,
			'--strict-mcp-config',
			...files.slice(1).map((file) => `--append-system-prompt-file=${file}`),
		],
		env: {},
		files,
		async remove() {
			for (const file of files) await rm(file, { force: true });
		},
	};
}
