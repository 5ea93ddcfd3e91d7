// A repository's AGENTS.md, passed to Codex as text, and its settings, which have no effect.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readText } from '@roost/machine/foreign-file';
import { findRepository, foldersBetween, isWithin, type Repository } from '../repository/find-repository.ts';
import { shownName } from '../repository/json-file.ts';

export type RepositoryInstructions = {
	text: string;
	/** One sentence for each ignored file. */
	leftOut: readonly string[];
	/** Folders for which Codex keeps trust. */
	trustRoots: readonly string[];
};

const NAMES = ['AGENTS.override.md', 'AGENTS.md'];
/** The limit of Codex itself. */
const MOST_BYTES = 32_768;

export async function readRepositoryInstructions(cwd: string): Promise<RepositoryInstructions> {
	const repository = await findRepository(cwd);
	const folders = foldersBetween(repository.root, cwd);
	const leftOut: string[] = [];
	const texts: string[] = [];
	let left = MOST_BYTES;
	for (const folder of folders) {
		const found = await readOne(folder, repository, left, leftOut);
		if (found === null) continue;
		left -= Buffer.byteLength(found.text);
		texts.push(`# ${found.where}\n\n${found.text}`);
	}
	for (const folder of folders) leftOut.push(...(await describeSettings(folder, repository)));
	return { text: texts.join('\n\n'), leftOut, trustRoots: [...new Set([repository.project, ...folders, cwd])] };
}

/** The first file that exists and is not empty. */
async function readOne(
	folder: string,
	{ root }: Repository,
	mostBytes: number,
	leftOut: string[],
): Promise<{ where: string; text: string } | null> {
	for (const name of NAMES) {
		const path = join(folder, name);
		const where = shownName(relative(root, path), 160);
		const refuse = ({ realPath }: { realPath: string }) =>
			isWithin(realPath, root) ? undefined : 'it is a link that leads out of the repository';
		const read = await readText(path, { mostBytes, refuse });
		if (read.kind === 'refused') leftOut.push(`${where} is left out because ${read.why}.`);
		if (read.kind !== 'text' || read.text.trim() === '') continue;
		if (read.cut) leftOut.push(`${where} is longer than the instructions may be: its end is left out.`);
		return { where, text: read.text.trim() };
	}
	return null;
}

/** Codex would apply them in a trusted folder. */
const SETTINGS: readonly (readonly [name: string, sentence: string])[] = [
	['config.toml', 'has no effect: the model, permissions, MCP servers and programs are chosen by the user'],
	['hooks.json', 'has no effect: none of its hooks runs'],
	['rules', 'has no effect: which commands may run is decided by Roost'],
];

async function describeSettings(folder: string, { root }: Repository): Promise<string[]> {
	const names = await readdir(join(folder, '.codex')).catch(whenUnreadable);
	return SETTINGS.filter(([name]) => names.includes(name)).map(
		([name, sentence]) => `${shownName(relative(root, join(folder, '.codex', name)), 160)} ${sentence}.`,
	);
}

function whenUnreadable(): string[] {
	return [];
}
