// The rules of the demo: what its agents may do unasked, and what they may never do. They are in the record before it begins.
import { createHash } from 'node:crypto';
import type { RuleBody } from '@roost/protocol/api/rules';
import type { ProjectId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { layFoundations } from '../foundations.ts';
import { openRuleBook } from '../rules/rule-book.ts';
import { openRunnerStream } from '../runner-stream.ts';

/** With names instead of random ids: they are read aloud in the feed. */
export type NamedRule = readonly [name: string, body: Pick<RuleBody, 'tool' | 'argsPattern' | 'decision'>];

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

export async function layDownRules(
	env: NodeJS.ProcessEnv,
	project: ProjectId,
	rules: readonly NamedRule[],
): Promise<Result<void>> {
	const laid = layFoundations({ env, flags: {} });
	if (!laid.ok) return laid;
	await using store = laid.value.store;
	const names = rules.map(([name]) => name);
	const common = { store, runnerId: laid.value.runnerId, now: Date.now };
	const hash = (text: string) => createHash('sha256').update(text).digest('hex');
	const own = openRunnerStream({ ...common, hash, tell: () => {} });
	if (!own.ok) return own;
	const book = openRuleBook({ ...common, builtinDenies: [], newId: () => names.shift() ?? '', own: own.value });
	if (!book.ok) return book;
	for (const [, body] of rules) {
		const added = await book.value.add({ ...body, scope: 'project', scopeId: project }, { name: 'demo', face: 'cli' });
		if (!added.ok) return added;
	}
	return ok(undefined);
}
