// Whether an awk program only prints: it can also write files, run commands and load code.

/** False for everything that is not plainly understood. `compares`: larger-than is fine where at worst a file with a number for a name is made. */
export function onlyPrints(program: string, compares: boolean): boolean {
	if (/[|@`]/.test(program.replaceAll('||', ''))) return false;
	if (/\b(?:system|getline|close|fflush|ARGV|ENVIRON|PROCINFO)\b/.test(program)) return false;
	return !program.replace(compares ? COMPARISON : AT_LEAST, '').includes('>');
}

const AT_LEAST = />=/g;
/** Compared with a number, and then done: nothing that another file could be named by. */
const COMPARISON = />=|>\s*-?\d+(?:\.\d+)?(?=\s*(?:[){;&}]|$))/g;
