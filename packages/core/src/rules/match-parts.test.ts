import { type Rule, rule } from '@roost/protocol/rule';
import { describe, expect, it } from 'vitest';
import { judge, judgeParts } from './match.ts';

const SCOPE = { sessionId: 's1', projectId: 'p1' };
const SCOPE_IDS: Record<Rule['scope'], string> = { session: 's1', project: 'p1', user: 'user' };

type Decided = `${Rule['decision']} ${Rule['scope']} ${string}`;

/** `allow user touch *`: the pattern is also the id. */
function toRule(text: Decided): Rule {
	const [decision, scope, ...pattern] = text.split(' ');
	const argsPattern = pattern.join(' ');
	const own = { tool: 'Bash', addedBy: 'test', createdAt: 1, decision, scope, scopeId: SCOPE_IDS[scope as Rule['scope']] };
	return rule.parse({ ...own, id: argsPattern || 'any', ...(argsPattern !== '' && { argsPattern }) });
}

const verdictOn = (command: string, ...rules: Decided[]) => judge({ tool: 'Bash', input: { command } }, rules.map(toRule), SCOPE);
const decide = (command: string, ...rules: Decided[]) => verdictOn(command, ...rules).decision;
const partsOf = (command: string, ...rules: Decided[]) =>
	judgeParts({ tool: 'Bash', input: { command } }, rules.map(toRule), SCOPE).map(
		({ text, decision, rule: by }) => `${text}: ${decision}${by ? ` by ${by.id}` : ''}`,
	);

describe('shell line', () => {
	it('is allowed when each part is covered by any allow rule, and names every rule', () => {
		expect(decide('touch a && echo b', 'allow user touch *')).toBe('none');
		const verdict = verdictOn('touch a && echo b', 'allow user touch *', 'allow user echo *');
		expect(verdict).toMatchObject({ decision: 'allow', rules: [{ id: 'echo *' }, { id: 'touch *' }] });
	});

	it.each([
		'touch a; echo b | touch c',
		'for f in *.ts; do touch "$f"; echo "$f"; done',
		'touch $(echo a)',
		'if touch a; then echo b; else echo c; fi',
		'(touch a && echo b) || echo c 2>&1',
		'echo a | while read -r f; do touch "$f"; done',
		'cd sub && touch a',
		'command -v touch && echo b',
		'cd sub && bash -x ./touch.sh',
		"echo a; bash -c 'touch b'",
		'echo a | cat /dev/stdin',
	])('is allowed: %s', (line) => {
		const rules = ['allow user touch *', 'allow session echo *', 'allow project cd *'] as const;
		const more = ['allow user read *', 'allow user command -v *', 'allow user bash *', 'allow user cat *'] as const;
		expect(decide(line, ...rules, ...more)).toBe('allow');
	});

	it('is allowed by rules of different scopes', () => {
		expect(decide('touch a && echo b', 'allow session touch *', 'allow project echo *')).toBe('allow');
	});

	it('is denied when a deny of any scope matches one part', () => {
		const rules = ['allow session touch *', 'allow session rm *', 'allow session echo *'] as const;
		expect(decide('touch a && rm b', ...rules, 'deny user rm *')).toBe('deny');
		expect(decide('touch a && echo b', ...rules, 'deny user rm *')).toBe('allow');
		expect(decide('touch a && echo "$(rm b)"', ...rules, 'deny user rm *')).toBe('deny');
	});

	it('uses the most specific scope for each part to choose between ask and allow', () => {
		expect(decide('touch a && echo b', 'allow session touch *', 'ask user touch *', 'allow user echo *')).toBe('allow');
		expect(decide('touch a && echo b', 'allow user touch *', 'ask user touch *', 'allow session echo *')).toBe('ask');
		expect(decide('touch a && echo b', 'allow user touch *', 'ask session touch *', 'allow session echo *')).toBe('ask');
	});

	it('is asked about when an ask rule matches one part and another part is uncovered', () => {
		expect(decide('touch a && ls', 'allow session touch *', 'ask user touch *')).toBe('ask');
	});

	it('is asked about by an ask rule that matches the whole line but none of its parts', () => {
		const ask = 'ask project * | echo *';
		expect(decide('touch a | echo b', 'allow user touch *', 'allow user echo *', ask)).toBe('ask');
		expect(decide('touch a | echo b', 'allow session touch *', 'allow user echo *', ask)).toBe('ask');
		expect(decide('touch a | echo b', 'allow session touch *', 'allow session echo *', ask)).toBe('allow');
	});

	it.each([
		['touch a && echo b > c', 'a file that no rule names'],
		['touch a && X=1 echo b', 'a variable before a command'],
		['touch a && "echo" b', 'a quoted name'],
		['touch a && $x b', 'a name made by the shell'],
		['touch a && sudo echo b', 'a command that runs another'],
		['touch a && echo "', 'a line that cannot be parsed'],
		['touch a && f() { echo b; }; f', 'a function'],
		['touch a && [[ -f x ]] && echo b', 'a test that may evaluate text'],
		['touch a && { echo b; } > c', 'a group that writes'],
	])('is not allowed by combined rules: %s (%s)', (line) => {
		expect(decide(line, 'allow user touch *', 'allow user echo *')).toBe('none');
	});

	it('returns the covered parts with their rules', () => {
		const rules = ['allow user touch *', 'deny user rm *', 'ask project ls *'] as const;
		expect(partsOf('touch a && rm b; ls | echo', ...rules)).toEqual([
			'touch a: allow by touch *',
			'rm b: deny by rm *',
			'ls: ask by ls *',
			'echo: none',
		]);
		expect(partsOf('touch a', ...rules)).toEqual([]);
		expect(partsOf('touch a && echo "', ...rules)).toEqual([]);
	});
});

describe('combined rules do not allow a line', () => {
	const reason = (line: string, ...rules: Decided[]) => {
		const verdict = verdictOn(line, ...rules);
		return verdict.decision === 'none' ? verdict.why : verdict.decision;
	};

	it.each([
		['PATH=/tmp/evil; ls', 'PATH=*', 'ls *'],
		['export PATH=/tmp/evil && ls', 'export *', 'ls *'],
		['x=-delete; find . $x', 'x=*', 'find . $x'],
		['read PATH < f; ls', 'read *', 'ls *'],
		['printf -v PATH /tmp/evil; ls', 'printf -v *', 'ls *'],
		['alias ls=rm; ls x', 'alias *', 'ls *'],
		['hash -p /tmp/evil ls; ls', 'hash *', 'ls *'],
		['command export PATH=/tmp/evil; ls', 'command *', 'ls *'],
		['PATH=/tmp/evil : ; ls', 'PATH=* :', 'ls *'],
		['. ./env && ls', '. *', 'ls *'],
		['set -o posix; ls', 'set *', 'ls *'],
	] as const)('if a part changes how the others run: %s', (line, first, second) => {
		expect(reason(line, `allow user ${first}`, `allow user ${second}`)).toMatch(/changes how the rest of the line runs$/);
	});

	it.each([
		['curl x | sh', 'curl *', 'sh *'],
		['curl x | sudo bash', 'curl *', 'sudo *'],
		['curl x | bash -s', 'curl *', 'bash *'],
		['curl x | timeout 5 bash', 'curl *', 'timeout *'],
		['curl x | bash -s -- a', 'curl *', 'bash *'],
		['curl x | bash -o pipefail', 'curl *', 'bash *'],
		['curl x | bash /dev/stdin', 'curl *', 'bash *'],
		['curl x | bash -x //dev//fd/0', 'curl *', 'bash *'],
		['echo code | python3 /dev/stdin', 'echo *', 'python3 *'],
		['echo code | python3 /proc/self/fd/0', 'echo *', 'python3 *'],
		['echo code | ruby /dev/fd/0', 'echo *', 'ruby *'],
		['echo code | awk -f -', 'echo *', 'awk -f *'],
		['echo code | python3', 'echo *', 'python3 *'],
		['echo code | python3 -', 'echo *', 'python3 *'],
		['echo code | node', 'echo *', 'node *'],
		['bash <(curl x)', 'bash *', 'curl *'],
		['python3 <(curl x)', 'python3 *', 'curl *'],
		['echo x > >(sh)', 'echo * > *', 'sh *'],
		['sh < <(curl x)', 'sh *', 'curl *'],
		['curl x | ed f', 'curl *', 'ed *'],
	] as const)('if a part runs the output of another: %s', (line, first, second) => {
		expect(reason(line, `allow user ${first}`, `allow user ${second}`)).not.toBe('allow');
	});

	it.each([
		['cd /etc && echo x > build/y', 'cd *', 'echo * > build/*'],
		['pushd /etc; curl x -o build/y', 'pushd *', 'curl * -o build/*'],
	] as const)('if it writes a file in a folder that it changes to: %s', (line, first, second) => {
		expect(reason(line, `allow user ${first}`, `allow user ${second}`)).toMatch(/folder that the line changes to$/);
	});

	it.each([
		['env $(echo rm) v', 'env *', 'echo *'],
		['echo rm v | xargs env', 'xargs env *', 'echo *'],
		['echo ok && python3 -c x', 'echo *', 'python3 -c *'],
	] as const)('if a part hides its command and there is a deny rule: %s', (line, first, second) => {
		expect(decide(line, `allow user ${first}`, `allow user ${second}`, 'deny user rm *')).not.toBe('allow');
	});

	it('unless one rule covers the whole line', () => {
		expect(decide('x=1; echo $x', 'allow user x=1; echo $x', 'allow user x=*', 'allow user echo *')).toBe('allow');
		expect(decide('x=1; echo $x', 'allow user ', 'allow user echo *')).toBe('allow');
	});
});
