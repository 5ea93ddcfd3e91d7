import { type Rule, rule } from '@roost/protocol/rule';
import { describe, expect, it } from 'vitest';
import { judge } from './match.ts';
import type { ToolCall } from './subject.ts';

const scope = { sessionId: 's1', projectId: 'p1' };

function makeRule(id: string, fields: Partial<Record<keyof Rule, unknown>>): Rule {
	const scopeIds: Record<string, string> = { session: 's1', project: 'p1', user: 'user' };
	const own = String(fields.scope ?? 'user');
	return rule.parse({
		id,
		tool: 'Bash',
		decision: 'allow',
		scope: own,
		scopeId: scopeIds[own],
		addedBy: 'test',
		createdAt: 1,
		...fields,
	});
}

const bash = (command: string): ToolCall => ({ tool: 'Bash', input: { command } });
const verdict = (call: ToolCall, ...rules: Rule[]) => {
	const found = judge(call, rules, scope);
	return found.decision === 'none' ? 'none' : `${found.decision} ${found.rule.id}`;
};

describe('precedence', () => {
	const allow = (id: string, own: string) => makeRule(id, { scope: own });
	const ask = (id: string, own: string) => makeRule(id, { scope: own, decision: 'ask' });
	const deny = (id: string, own: string) => makeRule(id, { scope: own, decision: 'deny' });

	it('lets a deny at any scope win', () => {
		expect(verdict(bash('ls'), allow('a', 'session'), ask('b', 'project'), deny('c', 'user'))).toBe('deny c');
	});
	it('takes the most specific scope among ask and allow', () => {
		expect(verdict(bash('ls'), ask('a', 'user'), ask('b', 'project'), allow('c', 'session'))).toBe('allow c');
		expect(verdict(bash('ls'), allow('a', 'user'), ask('b', 'project'))).toBe('ask b');
	});
	it('lets ask win on a tie', () => {
		expect(verdict(bash('ls'), allow('a', 'project'), ask('b', 'project'))).toBe('ask b');
	});
	it('ignores rules of other sessions and projects, denies too', () => {
		const other = [
			makeRule('a', { scope: 'session', scopeId: 's2', decision: 'deny' }),
			makeRule('b', { scope: 'project', scopeId: 'p2', decision: 'deny' }),
			makeRule('c', { scope: 'session', scopeId: 'p1', decision: 'deny' }),
		];
		expect(verdict(bash('ls'), ...other)).toBe('none');
	});
	it('names the same rule whatever the order: the oldest, then the smallest id', () => {
		const rules = [makeRule('b', {}), makeRule('a', {}), makeRule('c', { createdAt: 0 })];
		expect(verdict(bash('ls'), ...rules)).toBe('allow c');
		expect(verdict(bash('ls'), ...rules.toReversed())).toBe('allow c');
		expect(verdict(bash('ls'), ...rules.slice(0, 2))).toBe('allow a');
		expect(verdict(bash('ls'), ...rules.slice(0, 2).toReversed())).toBe('allow a');
	});
	it('falls back to a wider scope where the nearer rule does not match', () => {
		const near = makeRule('a', { scope: 'session', argsPattern: 'npm *' });
		expect(verdict(bash('ls -l'), near, makeRule('b', { argsPattern: 'ls *' }))).toBe('allow b');
	});
});

describe('shell tools', () => {
	it('asks when any part is one to ask about', () => {
		expect(
			verdict(bash('ls && git push'), makeRule('a', { argsPattern: 'git push *', decision: 'ask' }), makeRule('b', {})),
		).toBe('ask a');
	});
	it('never covers an unparsable line, not even by an allow without a pattern', () => {
		expect(verdict(bash('echo "'), makeRule('a', {}), makeRule('b', { argsPattern: '*' }))).toBe('none');
	});
	it('denies an unparsable line by any part that can still be read', () => {
		const deny = makeRule('a', { argsPattern: 'rm *', decision: 'deny' });
		expect(verdict(bash('ls; rm -rf x; echo "'), deny)).toBe('deny a');
		expect(verdict(bash(`ls; rm -rf x; ${'('.repeat(4000)}`), deny)).toBe('deny a');
	});
	it('does not allow a line that may mean more than a deny can look at', () => {
		const wide = bash(`sudo ${'a '.repeat(60_000)} rm x`);
		expect(verdict(wide, makeRule('a', { argsPattern: 'sudo *' }), makeRule('b', {}))).toBe('none');
		expect(verdict(wide, makeRule('a', { argsPattern: 'sudo *', decision: 'deny' }))).toBe('deny a');
	});
	it('asks about a line that is too long to follow beside a deny', () => {
		const deny = makeRule('b', { argsPattern: 'rm *', decision: 'deny' });
		expect(verdict(bash(`x=1; tar ${'"$x$y" '.repeat(9_000)}`), makeRule('a', {}), deny)).toBe('ask b');
		expect(verdict(bash(`bash <<E\n${'ls x\n'.repeat(9_000)}E`), makeRule('a', {}), deny)).toBe('ask b');
		expect(verdict(bash(`bash <<E\n${'ls x\n'.repeat(90)}E`), makeRule('a', {}), deny)).toBe('allow a');
	});
	it('does not parse PowerShell: no pattern covers it, a rule for the whole tool does', () => {
		const call = { tool: 'PowerShell', input: { command: 'Get-Item x' } };
		expect(verdict(call, makeRule('a', { tool: 'PowerShell', argsPattern: '*' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: 'PowerShell' }))).toBe('allow a');
		expect(verdict(call, makeRule('a', { tool: 'PowerShell', argsPattern: 'Get-Item *', decision: 'deny' }))).toBe('deny a');
	});
	it('judges whatever takes a command by grammar, also tools it does not know', () => {
		const exec = makeRule('a', { tool: 'mcp__box__exec', argsPattern: 'git status *' });
		expect(verdict({ tool: 'mcp__box__exec', input: { command: 'git status; rm x' } }, exec)).toBe('none');
		expect(verdict({ tool: 'mcp__box__exec', input: { command: 'git status -s' } }, exec)).toBe('allow a');
	});
	it('covers nothing when Bash has no command', () => {
		expect(verdict({ tool: 'Bash', input: { file_path: 'ls' } }, makeRule('a', { argsPattern: 'ls *' }))).toBe('none');
	});
});

describe('other tools', () => {
	const write = (file_path: string): ToolCall => ({ tool: 'Write', input: { file_path, content: 'x' } });
	const inSrc = makeRule('a', { tool: 'Write', argsPattern: '/repo/src/*' });

	it('matches the path, with .. and // resolved for an allow', () => {
		expect(verdict(write('/repo/src/a/b.ts'), inSrc)).toBe('allow a');
		expect(verdict(write('/repo//src/./a.ts'), inSrc)).toBe('allow a');
		expect(verdict(write('/repo/src/../../etc/passwd'), inSrc)).toBe('none');
		expect(verdict(write('/repo/src/a/../../../etc/passwd'), inSrc)).toBe('none');
		expect(verdict(write('../../src/x'), makeRule('a', { tool: 'Write', argsPattern: 'src/*' }))).toBe('none');
	});
	it('denies by either form of the path', () => {
		const etc = makeRule('a', { tool: 'Write', argsPattern: '/etc/*', decision: 'deny' });
		expect(verdict(write('/repo/../etc/passwd'), etc)).toBe('deny a');
		expect(verdict(write('/etc/../repo/x'), etc)).toBe('deny a');
		expect(verdict(write('/repo/etc/x'), etc)).toBe('none');
	});
	it('matches a URL, a query, or else the whole input with sorted keys', () => {
		const call = { tool: 'WebFetch', input: { url: 'https://docs.example/x', prompt: 'y' } };
		expect(verdict(call, makeRule('a', { tool: 'WebFetch', argsPattern: 'https://docs.example/*' }))).toBe('allow a');
		expect(
			verdict(
				{ tool: 'mcp__db__run', input: { b: 1, a: [{ d: 1, c: 2 }] } },
				makeRule('a', { tool: '*', argsPattern: '{"a":[{"c":2,"d":1}],"b":1}' }),
			),
		).toBe('allow a');
	});
	it('is not held up by a name made to be matched slowly, which a deny takes for one of its own', () => {
		const call = { tool: `mcp__${'a_'.repeat(50_000)}`, input: {} };
		expect(verdict(call, makeRule('a', { tool: 'mcp__*_*_*_*_*_*b' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: '{mcp,x}__*_*_*_*_*_*b' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: '{mcp,x}__*_*_*_*_*_*b', decision: 'deny' }))).toBe('deny a');
	});
	it('matches tool names by glob', () => {
		const call = { tool: 'mcp__my_server__read_file', input: {} };
		expect(verdict(call, makeRule('a', { tool: 'mcp__my_server__*' }))).toBe('allow a');
		expect(verdict(call, makeRule('a', { tool: 'mcp__my__*' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: '*' }))).toBe('allow a');
		expect(verdict(call, makeRule('a', { tool: '{Bash,Read}' }))).toBe('none');
	});
});
