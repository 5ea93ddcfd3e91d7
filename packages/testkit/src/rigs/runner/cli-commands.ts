// Every command of the command line, as `--help` names them.
import type { Driven } from './drive-cli.ts';

type Drive = (runs: readonly (readonly string[])[]) => Promise<Driven[]>;

export type NamedHelp = { words: string[]; help: string };

/** Each with its help: a command that has others below it stands for those. */
export async function readCommands(drive: Drive): Promise<NamedHelp[]> {
	return (await readHelps(drive)).filter(({ help }) => namesIn(help).length === 0);
}

/** The help of every command and of every group of commands, the program itself first. */
export async function readHelps(drive: Drive): Promise<NamedHelp[]> {
	const found: NamedHelp[] = [];
	for (let level: string[][] = [[]]; level.length > 0; ) {
		const helps = await drive(level.map((words) => [...words, '--help']));
		const read = level.map((words, at) => ({ words, help: helps[at]?.stdout ?? '' }));
		found.push(...read);
		level = read.flatMap(({ words, help }) => namesIn(help).map((name) => [...words, name]));
	}
	return found;
}

/** The names of the arguments that a command takes, as its usage has them; with `...` where one takes several words. */
export function argumentsIn(help: string): string[] {
	const usage = /^Usage: .*$/m.exec(help)?.[0] ?? '';
	return [...usage.matchAll(/[<[]([a-z]+(?:\.\.\.)?)[>\]]/g)].flatMap(([, name]) => (name && name !== 'options' ? [name] : []));
}

function namesIn(help: string): string[] {
	const [, list = ''] = help.split('\nCommands:\n');
	return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) => (name && name !== 'help' ? [name] : []));
}
