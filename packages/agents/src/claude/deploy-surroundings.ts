// What a Claude in a terminal gets of its place: the texts and the servers that its user wants, in files outside the worktree.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deployed, HooksDef, OverlayContent } from '../types.ts';
import type { ReadSurroundings } from './sdk/surroundings.ts';

/** The repository's own settings count for nothing there, so that what it says is handed over here, as to a driven one. */
export async function deploySurroundings(
	{ worktreePath, stateDir }: Pick<HooksDef, 'worktreePath' | 'stateDir'>,
	overlay: OverlayContent | undefined,
	readSurroundings: ReadSurroundings,
): Promise<Deployed> {
	const { instructions, mcpServers } = await readSurroundings(worktreePath);
	const text = [instructions, overlay?.content ?? ''].filter((part) => part.trim() !== '').join('\n\n');
	const instructionFile = join(stateDir, 'claude-instructions.md');
	const serverFile = join(stateDir, 'claude-mcp.json');
	await mkdir(stateDir, { recursive: true, mode: 0o700 });
	// Servers may be given secrets, which stand in no argument.
	await writePrivate(serverFile, JSON.stringify({ mcpServers }));
	if (text !== '') await writePrivate(instructionFile, text);
	const files = text === '' ? [serverFile] : [serverFile, instructionFile];
	return {
		argv: [
			`--mcp-config=${serverFile}`,
			'--strict-mcp-config',
			...(text === '' ? [] : [`--append-system-prompt-file=${instructionFile}`]),
		],
		env: {},
		files,
		async remove() {
			for (const file of files) await rm(file, { force: true });
		},
	};
}

async function writePrivate(path: string, text: string): Promise<void> {
	await rm(path, { force: true });
	await writeFile(path, text, { mode: 0o600, flag: 'wx' });
	await chmod(path, 0o600);
}
