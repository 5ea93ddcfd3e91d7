// Repository files for Pi that have no effect in a driven session, one sentence each. AGENTS.md does apply.
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sanitiseLine } from '@roost/core/display/sanitise';

type Left = { path: string; words: (names: string) => string };

/** Everything that Pi reads in a trusted project, besides texts for the model. */
const LEFT: readonly Left[] = [
	{
		path: '.pi/settings.json',
		words: () => '.pi/settings.json of this repository has no effect: the settings of the user count.',
	},
	{ path: '.pi/extensions', words: (names) => `The extensions of this repository (${names}) are not loaded.` },
	{ path: '.pi/skills', words: (names) => `The skills of this repository (${names}) are not offered.` },
	{ path: '.pi/prompts', words: (names) => `The prompt templates of this repository (${names}) are not offered.` },
	{ path: '.pi/SYSTEM.md', words: () => ".pi/SYSTEM.md of this repository does not take the place of Pi's own instructions." },
	{ path: '.pi/APPEND_SYSTEM.md', words: () => ".pi/APPEND_SYSTEM.md of this repository is not added to Pi's instructions." },
];

export async function describeLeftOut(cwd: string, home: string): Promise<string[]> {
	const own = await Promise.all(LEFT.map(async ({ path, words }) => withNames(await namesAt(join(cwd, path)), words)));
	const shared = await Promise.all(
		upwards(cwd)
			.filter((folder) => folder !== home)
			.map((folder) => namesAt(join(folder, '.agents', 'skills'))),
	);
	const skills = shared.flatMap((names) => names ?? []);
	const sentence = skills.length > 0 ? [`The skills in .agents/skills (${shown(skills)}) are not offered.`] : [];
	return [...own.flat(), ...sentence];
}

function withNames(names: string[] | undefined, words: Left['words']): string[] {
	return names === undefined ? [] : [words(shown(names))];
}

/** Undefined for a missing or empty folder. */
async function namesAt(path: string): Promise<string[] | undefined> {
	const found = await lstat(path).catch(() => undefined);
	if (found === undefined) return undefined;
	if (!found.isDirectory()) return [];
	const names = await readdir(path).catch(() => []);
	return names.length > 0 ? names.sort() : undefined;
}

const MOST_NAMES = 5;
const LONGEST = 60;

/** Sanitised, because a repository chose the names. */
function shown(names: readonly string[]): string {
	const some = names.slice(0, MOST_NAMES).map((name) => sanitiseLine(name.slice(0, LONGEST)));
	return names.length > MOST_NAMES ? `${some.join(', ')} and ${names.length - MOST_NAMES} more` : some.join(', ');
}

function upwards(start: string): string[] {
	const above = dirname(start);
	return above === start ? [start] : [start, ...upwards(above)];
}
