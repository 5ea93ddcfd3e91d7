// Every command of the command line, as `--help` names them.
import type { Driven } from './drive-cli.ts';

type Drive = (runs: readonly (readonly string[])[]) => Promise<Driven[]>;

/** Each with its help: a command that has others below it stands for those. */
export async function readCommands(drive: Drive): Promise<{ words: string[]; help: string }[]> {
	const paths = await readPaths(drive, []);
	const helps = await drive(paths.map((words) => [...words, '--help']));
	return paths.map((words, at) => ({ words, help: helps[at]?.stdout ?? '' }));
}

/** The names of the arguments that a command takes, as its usage has them; with `...` where one takes several words. */
export function argumentsIn(help: string): string[] {
	const usage = /^Usage: .*$/m.exec(help)?.[0] ?? '';
	return [...usage.matchAll(/[<[]([a-z]+(?:\.\.\.)?)[>\]]/g)].flatMap(([, name]) => (name && name !== 'options' ? [name] : []));
}

async function readPaths(drive: Drive, above: readonly string[]): Promise<string[][]> {
	const [help] = await drive([[...above, '--help']]);
	const below = namesIn(help?.stdout ?? '').map((name) => [...above, name]);
	if (below.length === 0) return [[...above]];
	return (await Promise.all(below.map((path) => readPaths(drive, path)))).flat();
}

function namesIn(help: string): string[] {
	const [, list = ''] = help.split('\nCommands:\n');
	return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) => (name && name !== 'help' ? [name] : []));
}
