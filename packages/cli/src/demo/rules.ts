// The rules of the demo: what its agents may do unasked, and what they may never do. Data only.
import type { NamedRule } from '../runner/open-runner.ts';

export const DEMO_RULES: readonly NamedRule[] = [
	['demo-tests', { tool: 'Bash', argsPattern: 'npm test *', decision: 'allow' }],
	['demo-test-files', { tool: 'Edit', argsPattern: 'test/**', decision: 'allow' }],
	['demo-no-force', { tool: 'Bash', argsPattern: 'git push --force *', decision: 'deny' }],
];

/** Where nobody is there to answer. */
export const UNATTENDED_RULES: readonly NamedRule[] = [
	...DEMO_RULES,
	['demo-edits', { tool: 'Edit', decision: 'allow' }],
	['demo-push', { tool: 'Bash', argsPattern: 'git push -u *', decision: 'allow' }],
];
