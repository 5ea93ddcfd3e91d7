import { sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { filterRules, groupRules } from './group-rules.ts';

const RULES = [
	sampleRule('of-session', { scope: 'session', scopeId: 'k3f9' }),
	sampleRule('older', { createdAt: 1 }),
	sampleRule('of-project', { scope: 'project', scopeId: 'p1', projectPath: '/code/barn' }),
	sampleRule('newer', { createdAt: 2, tool: 'WebFetch' }),
];

describe('rules', () => {
	it('are grouped by where they apply, the newest first', () => {
		const groups = groupRules(RULES, [sampleSession('k3f9', { title: 'Count the herons' })]);
		expect(groups.map(({ title, rules }) => [title, ...rules.map(({ id }) => id)])).toEqual([
			['All my projects', 'newer', 'older'],
			['Project: /code/barn', 'of-project'],
			['Session: Count the herons', 'of-session'],
		]);
		expect(groupRules(RULES, []).at(-1)?.title).toBe('Session: k3f9');
	});

	it('are filtered by all words, in any case', () => {
		const found = (words: string) => filterRules(RULES, words).map(({ id }) => id);
		expect(found('')).toHaveLength(4);
		expect(found('BARN bash')).toEqual(['of-project']);
		expect(found('webfetch')).toEqual(['newer']);
		expect(found('barn webfetch')).toEqual([]);
	});
});
