import { judge } from '@roost/core/rules/match';
import { sampleRule } from '@roost/testkit/rigs/sample-append';
import { expect, it } from 'vitest';
import { suggestPattern } from './suggest-pattern.ts';

it.each([
	['npm test', 'npm test *'],
	['npm test --watch src', 'npm test *'],
	['npm run build -- --fast', 'npm run build *'],
	['git commit -m "a message"', 'git commit *'],
	['ls -la /etc', 'ls *'],
	['cat ./a/b.txt', 'cat *'],
	['CI=1 npm test', 'CI=* npm test *'],
	['echo hi > out.txt', 'echo hi > out.txt'],
	['echo hi >> out.txt', 'echo hi >> out.txt'],
	['sudo apt-get update', 'sudo apt-get update'],
	['npm test; npm test again', 'npm test *'],
	["grep 'a*b' x", 'grep *'],
	['sort -o a b', 'sort -o a b'],
	['git diff $(git merge-base a b)', 'git diff $(git merge-base a b)'],
])('offers for %j the pattern %j, which covers it', (command, pattern) => {
	const call = { tool: 'Bash', input: { command } };
	expect(suggestPattern({ ...call, risk: 'medium' })).toBe(pattern);
	expect(judge(call, [sampleRule('r', { argsPattern: pattern })], { sessionId: '', projectId: '' }).decision).toBe('allow');
});

it('offers exactly the command where the risk is high', () => {
	expect(suggestPattern({ tool: 'Bash', input: { command: 'rm -rf build/*' }, risk: 'high' })).toBe('rm -rf build/\\*');
});

it.each([
	['Write', { file_path: '/project/src/a.ts', content: 'x' }, '/project/src/*'],
	['Read', { file_path: '/etc*/a' }, '/etc\\*/*'],
	['WebFetch', { url: 'https://example.org/a?b' }, 'https://example.org/*'],
	['WebSearch', { query: 'how to *' }, 'how to \\*'],
	['mcp__a__b', { x: 1 }, '{"x":1}'],
	['Other', { x: 'y'.repeat(1_000) }, undefined],
])('offers for %s %j the pattern %j', (tool, input, pattern) => {
	expect(suggestPattern({ tool, input, risk: 'medium' })).toBe(pattern);
});

it('offers something for what is no command at all', () => {
	expect(suggestPattern({ tool: 'Bash', input: { command: 'if [' }, risk: 'medium' })).toBeDefined();
	expect(suggestPattern({ tool: 'Bash', input: { command: '' }, risk: 'medium' })).toBe('');
});
