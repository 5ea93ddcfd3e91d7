// docs/security.md names a test for every promise. Here its links are held against the tests that exist.

export type ProofLink = { title: string; file: string };

const LINK = /\[([^\]]+)\]\((\.\.\/[^)]+\.test\.ts)\)/g;

/** The named tests of one line: the text of a link is the title of a test, its target the file. */
export function proofsIn(line: string): ProofLink[] {
	return [...line.matchAll(LINK)].map(([, title = '', file = '']) => ({ title, file }));
}

/** Every row of a table that has a column called "proof" must name at least one test. */
export function promisesIn(text: string): { line: string; proofs: ProofLink[] }[] {
	let isProven = false;
	return text.split('\n').flatMap((line, at, lines) => {
		if (!line.startsWith('|')) isProven = false;
		else if (lines[at + 1]?.startsWith('|---')) isProven = /\| proof \|$/.test(line.trim());
		else if (isProven && !line.startsWith('|---')) return [{ line, proofs: proofsIn(line) }];
		return [];
	});
}

/** A title stands in its file as a whole string literal: renaming or deleting the test breaks the link. */
export function hasTest(source: string, title: string): boolean {
	return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`));
}
