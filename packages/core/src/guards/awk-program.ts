// Whether an awk program only prints: it can also write files, run commands and load code.

/** False for everything that is not plainly understood. */
export function onlyPrints(program: string): boolean {
	const withoutOr = program.replaceAll('||', '');
	if (/[|@`]/.test(withoutOr) || /\b(?:system|getline|close|fflush|ARGV|ENVIRON|PROCINFO|printf?\s*>)/.test(program))
		return false;
	return !program.replace(COMPARISON, '').includes('>');
}

/** Compared with a number, and then done: nothing that a file could be named by. */
const COMPARISON = />=|>\s*-?\d+(?:\.\d+)?(?=\s*(?:[){;&}]|$))/g;
