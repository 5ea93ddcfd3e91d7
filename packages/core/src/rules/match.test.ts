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

	it('prefers a deny at any scope', () => {
		expect(verdict(bash('ls'), allow('a', 'session'), ask('b', 'project'), deny('c', 'user'))).toBe('deny c');
	});
	it('prefers the most specific scope among ask and allow', () => {
		expect(verdict(bash('ls'), ask('a', 'user'), ask('b', 'project'), allow('c', 'session'))).toBe('allow c');
		expect(verdict(bash('ls'), allow('a', 'user'), ask('b', 'project'))).toBe('ask b');
	});
	it('prefers ask on a tie', () => {
		expect(verdict(bash('ls'), allow('a', 'project'), ask('b', 'project'))).toBe('ask b');
	});
	it('ignores rules of other sessions and projects, including denies', () => {
		const other = [
			makeRule('a', { scope: 'session', scopeId: 's2', decision: 'deny' }),
			makeRule('b', { scope: 'project', scopeId: 'p2', decision: 'deny' }),
			makeRule('c', { scope: 'session', scopeId: 'p1', decision: 'deny' }),
		];
		expect(verdict(bash('ls'), ...other)).toBe('none');
	});
	it('names the oldest rule, then the smallest id, regardless of their order', () => {
		const rules = [makeRule('b', {}), makeRule('a', {}), makeRule('c', { createdAt: 0 })];
		expect(verdict(bash('ls'), ...rules)).toBe('allow c');
		expect(verdict(bash('ls'), ...rules.toReversed())).toBe('allow c');
		expect(verdict(bash('ls'), ...rules.slice(0, 2))).toBe('allow a');
		expect(verdict(bash('ls'), ...rules.slice(0, 2).toReversed())).toBe('allow a');
	});
	it('falls back to a wider scope if the narrower rule does not match', () => {
		const near = makeRule('a', { scope: 'session', argsPattern: 'npm *' });
		expect(verdict(bash('ls -l'), near, makeRule('b', { argsPattern: 'ls *' }))).toBe('allow b');
	});
});

describe('shell tools', () => {
	it('ask if an ask rule matches any part', () => {
		expect(
			verdict(bash('ls && git push'), makeRule('a', { argsPattern: 'git push *', decision: 'ask' }), makeRule('b', {})),
		).toBe('ask a');
	});
	it('never allow an unparsable line, not even by a rule without a pattern', () => {
		expect(verdict(bash('echo "'), makeRule('a', {}), makeRule('b', { argsPattern: '*' }))).toBe('none');
	});
	it('deny an unparsable line by any part that can still be read', () => {
		const deny = makeRule('a', { argsPattern: 'rm *', decision: 'deny' });
		expect(verdict(bash('ls; rm -rf x; echo "'), deny)).toBe('deny a');
		expect(verdict(bash(`ls; rm -rf x; ${'('.repeat(4000)}`), deny)).toBe('deny a');
	});
	it('do not allow a line that has too many meanings to check', () => {
		const wide = bash(`sudo ${'a '.repeat(60_000)} rm x`);
		expect(verdict(wide, makeRule('a', { argsPattern: 'sudo *' }), makeRule('b', {}))).toBe('none');
		expect(verdict(wide, makeRule('a', { argsPattern: 'sudo *', decision: 'deny' }))).toBe('deny a');
	});
	it('ask about a line that is too long to analyze if there is a deny rule', () => {
		const deny = makeRule('b', { argsPattern: 'rm *', decision: 'deny' });
		expect(verdict(bash(`x=1; tar ${'"$x$y" '.repeat(9_000)}`), makeRule('a', {}), deny)).toBe('ask b');
		expect(verdict(bash(`bash <<E\n${'ls x\n'.repeat(9_000)}E`), makeRule('a', {}), deny)).toBe('ask b');
		expect(verdict(bash(`bash <<E\n${'ls x\n'.repeat(90)}E`), makeRule('a', {}), deny)).toBe('allow a');
	});
	it('do not parse PowerShell: only a rule for the whole tool allows it', () => {
		const call = { tool: 'PowerShell', input: { command: 'Get-Item x' } };
		expect(verdict(call, makeRule('a', { tool: 'PowerShell', argsPattern: '*' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: 'PowerShell' }))).toBe('allow a');
		expect(verdict(call, makeRule('a', { tool: 'PowerShell', argsPattern: 'Get-Item *', decision: 'deny' }))).toBe('deny a');
	});
	it('parse the command of any tool that has one, including unknown tools', () => {
		const exec = makeRule('a', { tool: 'mcp__box__exec', argsPattern: 'git status *' });
		expect(verdict({ tool: 'mcp__box__exec', input: { command: 'git status; rm x' } }, exec)).toBe('none');
		expect(verdict({ tool: 'mcp__box__exec', input: { command: 'git status -s' } }, exec)).toBe('allow a');
	});
	it('allow nothing if Bash has no command', () => {
		expect(verdict({ tool: 'Bash', input: { file_path: 'ls' } }, makeRule('a', { argsPattern: 'ls *' }))).toBe('none');
	});
});

describe('other tools', () => {
	const write = (file_path: string): ToolCall => ({ tool: 'Write', input: { file_path, content: 'x' } });
	const inSrc = makeRule('a', { tool: 'Write', argsPattern: '/repo/src/*' });

	it('match the path, with .. and // resolved for an allow', () => {
		expect(verdict(write('/repo/src/a/b.ts'), inSrc)).toBe('allow a');
		expect(verdict(write('/repo//src/./a.ts'), inSrc)).toBe('allow a');
		expect(verdict(write('/repo/src/../../etc/passwd'), inSrc)).toBe('none');
		expect(verdict(write('/repo/src/a/../../../etc/passwd'), inSrc)).toBe('none');
		expect(verdict(write('../../src/x'), makeRule('a', { tool: 'Write', argsPattern: 'src/*' }))).toBe('none');
	});
	it('deny by the written or the resolved path', () => {
		const etc = makeRule('a', { tool: 'Write', argsPattern: '/etc/*', decision: 'deny' });
		expect(verdict(write('/repo/../etc/passwd'), etc)).toBe('deny a');
		expect(verdict(write('/etc/../repo/x'), etc)).toBe('deny a');
		expect(verdict(write('/repo/etc/x'), etc)).toBe('none');
	});
	it('match a URL, or otherwise the whole input with sorted keys', () => {
		const call = { tool: 'WebFetch', input: { url: 'https://docs.example/x', prompt: 'y' } };
		expect(verdict(call, makeRule('a', { tool: 'WebFetch', argsPattern: 'https://docs.example/*' }))).toBe('allow a');
		expect(
			verdict(
				{ tool: 'mcp__db__run', input: { b: 1, a: [{ d: 1, c: 2 }] } },
				makeRule('a', { tool: '*', argsPattern: '{"a":[{"c":2,"d":1}],"b":1}' }),
			),
		).toBe('allow a');
	});
	it('are not slowed down by a crafted name, which a deny rule matches', () => {
		const call = { tool: `mcp__${'a_'.repeat(50_000)}`, input: {} };
		expect(verdict(call, makeRule('a', { tool: 'mcp__*_*_*_*_*_*b' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: '{mcp,x}__*_*_*_*_*_*b' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: '{mcp,x}__*_*_*_*_*_*b', decision: 'deny' }))).toBe('deny a');
	});
	it('match tool names by glob', () => {
		const call = { tool: 'mcp__my_server__read_file', input: {} };
		expect(verdict(call, makeRule('a', { tool: 'mcp__my_server__*' }))).toBe('allow a');
		expect(verdict(call, makeRule('a', { tool: 'mcp__my__*' }))).toBe('none');
		expect(verdict(call, makeRule('a', { tool: '*' }))).toBe('allow a');
		expect(verdict(call, makeRule('a', { tool: '{Bash,Read}' }))).toBe('none');
	});
});
