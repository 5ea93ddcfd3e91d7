// Paths inside text: file URLs, patches, option values and the strings of program code.
import { UNKNOWN } from './path-use.ts';

/** The path of a `file:` URL; undefined for anything else. */
export function fileUrlPath(text: string): string | undefined {
	const rest = /^file:(?:\/\/[^/]*)?(\/.*)$/i.exec(text.trim())?.[1];
	if (rest === undefined) return undefined;
	try {
		return decodeURIComponent(rest.replace(/[?#].*$/s, ''));
	} catch {
		// Percent signs that encode nothing: the path as it is written.
		return rest;
	}
}

/** Files that a patch names, in the form of git, of `diff -u` and of `apply_patch`. */
export function patchedFiles(text: string): string[] {
	if (!/^(?:\*\*\* |[+-]{3} |rename |diff )/m.test(text)) return [];
	return text.split('\n', MAX_LINES).flatMap((line) => {
		const named = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/.exec(line)?.[1];
		if (named !== undefined) return [named.trim()];
		const file = /^(?:---|\+\+\+|rename (?:from|to)) ([^\t]+)/.exec(line)?.[1]?.trim();
		return file === undefined ? [] : [file, file.replace(/^[ab]\//, '')];
	});
}

const MAX_LINES = 20_000;

/** Parts of an argument that may be paths: values of options, both sides of a colon, `@file`. */
export function pathsInWord(word: string): string[] {
	const pieces = word.split(/[=:,@]/);
	const attached = /^-[A-Za-z]+?([~/.\0].*)$/s.exec(word)?.[1];
	return [...(pieces.length > 1 ? pieces.filter(Boolean) : []), ...(attached === undefined ? [] : [attached])];
}

/** Every piece of a text that looks like a path, strings that are joined taken together. */
export function pathsInText(text: string): string[] {
	const joined = text
		.slice(0, MAX_TEXT)
		.replaceAll(/['"]\s*[,/]\s*['"]/g, '/')
		.replaceAll(/['"]\s*\+\s*['"]/g, '');
	const pieces = `${text.slice(0, MAX_TEXT)}\n${joined}`.split(/[\s'"`=,;|&<>()[\]{}@]+/);
	return [...new Set(pieces)].filter((piece) => piece.includes('/') || piece.startsWith('~') || piece.includes(UNKNOWN));
}

export const MAX_TEXT = 200_000;
