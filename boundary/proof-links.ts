// docs/security.md names a test for every guarantee. This checks its links against the existing tests.

export type ProofLink = { title: string; file: string };

const LINK = /\[([^\]]+)\]\((\.\.\/[^)]+\.test\.ts)\)/g;

/** The tests named in one line: the text of a link is the title of a test, its target the file. */
export function proofsIn(line: string): ProofLink[] {
	return [...line.matchAll(LINK)].map(([, title = '', file = '']) => ({ title, file }));
}

/** Every row of a table that has a column called "proof" must name at least one test. */
export function guaranteesIn(text: string): { line: string; proofs: ProofLink[] }[] {
	let isInTable = false;
	return text.split('\n').flatMap((line, at, lines) => {
		if (!line.startsWith('|')) isInTable = false;
		else if (lines[at + 1]?.startsWith('|---')) isInTable = /\| proof \|$/.test(line.trim());
		else if (isInTable && !line.startsWith('|---')) return [{ line, proofs: proofsIn(line) }];
		return [];
	});
}

/** The title must be a whole string literal in its file: renaming or deleting the test breaks the link. */
export function hasTest(source: string, title: string): boolean {
	return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`));
}
