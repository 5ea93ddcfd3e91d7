// What a test needs from the machine: where it is missing the test is skipped and says so; under CI it runs and fails.
import { findProgram } from '@roost/machine/find-program';
import { findClaudeBinary } from './claude/claude-binary.ts';

export type Requirement = { readonly name: string; readonly missing?: string };

export function program(name: string, path = process.env.PATH): Requirement {
	return findProgram(name, { PATH: path }) ? { name } : { name, missing: `${name} is not on the PATH: install it.` };
}

export function claude(): Requirement {
	const binary = findClaudeBinary();
	return binary.found ? { name: 'claude' } : { name: 'claude', missing: binary.whatToDo };
}

/** For `describe.skipIf(cannotRun([…]))`. Says on stderr why something is skipped. */
export function cannotRun(
	requirements: readonly Requirement[],
	{ ci = process.env.CI === 'true', tell = (line: string) => void process.stderr.write(line) } = {},
): boolean {
	const missing = requirements.flatMap((requirement) => (requirement.missing === undefined ? [] : [requirement.missing]));
	if (missing.length === 0 || ci) return false;
	tell(`skipped: ${missing.join(' ')}\n`);
	return true;
}
