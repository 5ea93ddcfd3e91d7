// What a test needs from the machine. Where it is missing the test is skipped with a message; in CI it runs and fails.
import { findProgram } from '@roost/machine/find-program';
import { agentProgram } from './agents/agent-programs.ts';

export type Requirement = { readonly name: string; readonly missing?: string };

export function program(name: string, path = process.env.PATH): Requirement {
	return findProgram(name, { PATH: path }) ? { name } : { name, missing: `${name} is not on the PATH: install it.` };
}

export function claude(): Requirement {
	return agentProgram('claude');
}

/** For `describe.skipIf(cannotRun([…]))`. Prints the reason to stderr. */
export function cannotRun(
	requirements: readonly Requirement[],
	{ ci = process.env.CI === 'true', report = (line: string) => void process.stderr.write(line) } = {},
): boolean {
	const missing = requirements.flatMap((requirement) => (requirement.missing === undefined ? [] : [requirement.missing]));
	if (missing.length === 0 || ci) return false;
	report(`skipped: ${missing.join(' ')}\n`);
	return true;
}
