// Many runs of the command line in one process, each with its output and exit code.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startProgram } from '../program.ts';
import { testedFile } from './roost-cli.ts';

export type Driven = { code: number; stdout: string; stderr: string };

/** Limits the runs per process, because each run leaks some memory. */
const MOST_AT_ONCE = 1_000;

type Place = { cwd: string; env: Record<string, string> };

export async function driveCli(runs: readonly (readonly string[])[], options: Place): Promise<Driven[]> {
	const done: Driven[] = [];
	for (let at = 0; at < runs.length; at += MOST_AT_ONCE) done.push(...(await drive(runs.slice(at, at + MOST_AT_ONCE), options)));
	return done;
}

async function drive(runs: readonly (readonly string[])[], options: Place): Promise<Driven[]> {
	const mark = randomUUID();
	const argv = [
		process.execPath,
		'--conditions=source',
		join(import.meta.dirname, 'cli-driver.ts'),
		testedFile('main'),
		mark,
	] as const;
	const input = `${runs.map((args) => JSON.stringify(args)).join('\n')}\n`;
	await using program = await startProgram(argv, { ...options, input });
	const exit = await program.waitForExit(3_600_000);
	if (exit.code !== 0) throw new Error(`the command line ended with ${exit.code}: ${exit.stderr.slice(-2_000)}`);
	const errors = exit.stderr.split(`${mark}\n`);
	return exit.stdout
		.split(new RegExp(`${mark} (\\d+)\n`))
		.slice(0, -1)
		.reduce<Driven[]>((done, text, at, parts) => {
			if (at % 2 === 0) done.push({ stdout: text, stderr: errors[at / 2] ?? '', code: Number(parts[at + 1] ?? 0) });
			return done;
		}, []);
}

type Drive = (runs: readonly (readonly string[])[]) => Promise<Driven[]>;

export type NamedHelp = { words: string[]; help: string };

/** Each with its help; a group is represented by its commands. */
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

/** The argument names of a command from its usage; with `...` for arguments of several words. */
export function argumentsIn(help: string): string[] {
	const usage = /^Usage: .*$/m.exec(help)?.[0] ?? '';
	return [...usage.matchAll(/[<[]([a-z]+(?:\.\.\.)?)[>\]]/g)].flatMap(([, name]) => (name && name !== 'options' ? [name] : []));
}

function namesIn(help: string): string[] {
	const [, list = ''] = help.split('\nCommands:\n');
	return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) => (name && name !== 'help' ? [name] : []));
}
