import { sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { judge } from './match.ts';
import { offerPatterns } from './offer-patterns.ts';
import type { ToolCall } from './subject.ts';

const SCOPE = { sessionId: 's', projectId: 'p' };
const offer = (call: ToolCall & { risk: 'medium' | 'high' }, ...patterns: string[]) =>
	offerPatterns(call, { decision: 'allow', rules: toRules(patterns), scope: SCOPE });
const toRules = (patterns: readonly string[]) => patterns.map((argsPattern) => sampleRule(argsPattern, { argsPattern }));
const bash = (command: string) => ({ tool: 'Bash', input: { command }, risk: 'medium' }) as const;

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
])('suggests for %j the pattern %j, which covers it', (command, pattern) => {
	expect(offer(bash(command))).toEqual([pattern]);
	expect(judge(bash(command), toRules([pattern]), SCOPE).decision).toBe('allow');
});

it('suggests exactly the command if the risk is high', () => {
	expect(offer({ ...bash('rm -rf build/*'), risk: 'high' })).toEqual(['rm -rf build/\\*']);
});

it.each([
	['Write', { file_path: '/project/src/a.ts', content: 'x' }, '/project/src/*'],
	['Read', { file_path: '/etc*/a' }, '/etc\\*/*'],
	['WebFetch', { url: 'https://example.org/a?b' }, 'https://example.org/*'],
	['WebSearch', { query: 'how to *' }, 'how to \\*'],
	['mcp__a__b', { x: 1 }, '{"x":1}'],
])('suggests for %s %j the pattern %j', (tool, input, pattern) => {
	expect(offer({ tool, input, risk: 'medium' })).toEqual([pattern]);
});

it('suggests a pattern for an invalid command, and none if it would be too long', () => {
	expect(offer(bash('if ['))).toHaveLength(1);
	expect(offer(bash(''))).toEqual(['']);
	expect(offer({ tool: 'Other', input: { x: 'y'.repeat(1_000) }, risk: 'medium' })).toEqual([]);
});

describe('suggestions for a line of several commands', () => {
	it.each([
		['touch a && echo b', [], ['touch *', 'echo *']],
		['touch ./a && echo "b"', ['touch *'], ['echo *']],
		['touch ./a; echo "b"; touch ./c | wc -l', ['echo *'], ['touch *', 'wc *']],
		['cd sub && npm test 2>&1 | tail -20', ['npm test *'], ['cd *', 'tail *']],
		['ls && echo "x" > out.txt', ['ls *'], ['echo "x" > out.txt']],
		['ls && sudo apt-get update', ['ls *'], ['sudo apt-get update']],
		['cat $(git ls-files)', [], ['cat *', 'git ls-files *']],
	])('for %j with %j allowed contain a rule for each uncovered part: %j', (line, allowed, expected) => {
		expect(offer(bash(line), ...allowed)).toEqual(expected);
		expect(judge(bash(line), toRules([...allowed, ...expected]), SCOPE).decision).toBe('allow');
	});

	it.each([
		['x=1; echo $x'],
		['curl x | sh'],
		['export A=1 && npm test'],
		['[[ -f a ]] && ls'],
		['a x; b x; c x; d x; e x; f x'],
		['cd build && echo x > y'],
		['ls && git diff $x'],
	])('contain the line %j if rules for its parts would not help', (line) => {
		const [pattern = '', ...others] = offer(bash(line), 'echo *', 'npm test *', 'curl *', 'sh *', 'export *');
		expect(others).toEqual([]);
		expect(judge(bash(line), toRules([pattern]), SCOPE).decision).toBe('allow');
	});

	it('never contain an existing rule', () => {
		const rules = [...toRules(['bash *']), sampleRule('no', { decision: 'deny', argsPattern: 'rm *' })];
		expect(judge(bash('bash < x'), rules, SCOPE).decision).toBe('ask');
		expect(offerPatterns(bash('bash < x'), { decision: 'allow', rules, scope: SCOPE })).toEqual(['bash < x']);
	});

	it('deny the whole line and not its parts', () => {
		const deny = (line: string) => offerPatterns(bash(line), { decision: 'deny', rules: [], scope: SCOPE });
		expect(deny('cd sub && git push --force')).toEqual(['cd sub && git push --force']);
		expect(deny('git push --force')).toEqual(['git push *']);
	});
});
