import { judge } from '@roost/core/rules/match';
import { type Rule, rule } from '@roost/protocol/rule';
import { expect, it } from 'vitest';
import { translatePermission } from './read-permissions.ts';

const HOME = '/home/lea';
const translated = (decision: Rule['decision'], text: string) => {
	const result = translatePermission(decision, text, HOME);
	return 'skipped' in result
		? `skipped: ${result.skipped}`
		: result.rules.map(({ tool, argsPattern }) => (argsPattern === undefined ? tool : `${tool} ${argsPattern}`));
};

it.each([
	['Bash', ['Bash']],
	['Bash(*)', ['Bash']],
	['Bash(npm run build)', ['Bash npm run build']],
	['Bash(npm run test:*)', ['Bash npm run test *']],
	['Bash(git log *)', ['Bash git log *']],
	['Bash(* --version)', ['Bash * --version']],
	['Bash(ls*)', ['Bash ls*']],
	['Read', ['Read']],
	['Read(~/.zshrc)', ['Read /home/lea/.zshrc']],
	['Read(//etc/hosts)', ['Read /etc/hosts']],
	['Read(~/docs/**)', ['Read /home/lea/docs/*']],
	['Edit(~/notes/**)', ['{Edit,MultiEdit,Write,NotebookEdit} /home/lea/notes/*']],
	['WebFetch', ['WebFetch']],
	['WebFetch(domain:docs.example.org)', ['WebFetch https://docs.example.org/*', 'WebFetch http://docs.example.org/*']],
	['WebSearch', ['WebSearch']],
	['mcp__github', ['mcp__github__*']],
	['mcp__github__*', ['mcp__github__*']],
	['mcp__github__create_issue', ['mcp__github__create_issue']],
	['mcp__my-server__read', ['mcp__my-server__read']],
	['Task', ['Agent']],
])('translates an allow rule for %s', (text, expected) => {
	expect(translated('allow', text)).toEqual(expected);
});

it.each([
	['Read(~/.ssh)', ['{Read,Grep,Glob,LS,NotebookRead} /home/lea/.ssh', '{Read,Grep,Glob,LS,NotebookRead} /home/lea/.ssh/*']],
	['Read', ['{Read,Grep,Glob,LS,NotebookRead}']],
	['Bash(rm:*)', ['Bash rm *']],
	['Bash(echo * > /etc/*)', ['Bash echo * > /etc/*']],
	['Edit', ['{Edit,MultiEdit,Write,NotebookEdit}']],
])('translates a deny or ask rule for %s', (text, expected) => {
	expect(translated('deny', text)).toEqual(expected);
	expect(translated('ask', text)).toEqual(expected);
});

it.each([
	['allow', 'Read(./secrets/**)', 'depends on the folder'],
	['allow', 'Read(.env)', 'depends on the folder'],
	['allow', 'Edit(/src/**)', 'depends on the folder'],
	['allow', 'Read(~/docs/*)', 'wildcard'],
	['allow', 'Read(~/docs/*.md)', 'wildcard'],
	['allow', 'Read(~/**/x)', 'wildcard'],
	['allow', 'Read(//**)', 'wildcard'],
	['allow', 'Read(~/../root/**)', 'wildcard'],
	['allow', 'WebFetch(domain:*.example.org)', 'one domain'],
	['allow', 'WebFetch(url:x)', 'one domain'],
	['deny', 'WebFetch(domain:example.org)', 'more ways than a pattern'],
	['allow', 'Bash(echo x > y)', 'redirection'],
	['allow', 'Bash(git * && ls *)', 'several commands'],
	['allow', 'Bash(a\\*b)', 'backslash'],
	['allow', 'Bash(git *:*)', '* before the :*'],
	['allow', 'Bash( ls)', 'space'],
	['allow', 'Write(src/**)', 'specifier of Write'],
	['deny', 'Task(Explore)', 'specifier of Task'],
	['allow', 'mcp__*', 'no MCP server'],
	['allow', '*', 'not a tool name'],
	['allow', '', 'not a tool name'],
	['allow', 'Bash(', 'not a tool name'],
] as const)('skips the untranslatable rule %s %s', (decision, text, why) => {
	expect(translated(decision, text)).toContain('skipped: ');
	expect(translated(decision, text)).toContain(why);
});

it.each([
	['Bash(npm run test:*)', 'Bash', { command: 'npm run tests' }],
	['Bash(npm run test:*)', 'Bash', { command: 'npm run test && rm x' }],
	['Bash(find:*)', 'Bash', { command: 'find . -delete' }],
	['Read(~/.zshrc)', 'Read', { file_path: '/home/lea/.zshrc2' }],
	['Read(~/docs/**)', 'Read', { file_path: '/home/lea/docs/../.ssh/id' }],
	['WebFetch(domain:a.org)', 'WebFetch', { url: 'https://a.org.evil.example/' }],
	['WebFetch(domain:a.org)', 'WebFetch', { url: 'https://evil.example/?https://a.org/' }],
	['mcp__github__read', 'mcp__github__read_all', {}],
])('allows nothing beyond %s', (text, tool, input) => {
	const result = translatePermission('allow', text, HOME);
	const own = { scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 1 };
	const rules = 'skipped' in result ? [] : result.rules.map((each, at) => rule.parse({ ...own, ...each, id: `r${at}` }));
	expect(rules.length).toBeGreaterThan(0);
	expect(judge({ tool, input }, rules, { sessionId: '', projectId: '' }).decision).toBe('none');
});
