// How to type the name of this program, for sentences that suggest a command.
import { basename } from 'node:path';
import { findOnPath, isLauncher } from './launcher.ts';

/** `roost` where that is what a shell finds; else as it was called. */
export function calledAs(argv0 = process.argv0, path = process.env.PATH): string {
	if (basename(argv0) !== 'roost') return 'roost';
	const found = findOnPath(path);
	if (found !== undefined && isLauncher(found)) return 'roost';
	return /^[\w@%+=:,./~-]+$/.test(argv0) ? argv0 : `'${argv0.replaceAll("'", `'\\''`)}'`;
}

/** Sentences from elsewhere name commands in quotes, as "roost down". */
export function asTyped(sentence: string): string {
	return sentence.replaceAll('"roost ', `"${calledAs()} `);
}
