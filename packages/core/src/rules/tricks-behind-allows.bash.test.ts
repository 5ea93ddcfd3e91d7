// Lines that act behind the allow rule of a harmless-looking command: real bash shows the effect of each, and none is allowed.
import { rule as ruleSchema } from '@roost/protocol/rule';
import { EVERYDAY_ALLOWED } from '@roost/testkit/corpora/everyday-allowed';
import { UNTRIED_TRICKS_BEHIND_ALLOWS } from '@roost/testkit/corpora/options-that-act';
import { TRICKS_BEHIND_ALLOWS } from '@roost/testkit/corpora/tricks-behind-allows';
import { createBashCanary } from '@roost/testkit/rigs/shell/bash-canary';
import { createTrickWorld } from '@roost/testkit/rigs/shell/trick-world';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simpleCommands } from '../shell/simple-commands.ts';
import { judge } from './match.ts';
import { coversLine } from './shell-cover.ts';

const AT_ONCE = 4;
const covers = (rule: string, line: string) => coversLine(rule, simpleCommands(line), line);
const pairsOf = (groups: readonly { rule: string; lines: readonly string[] }[]) =>
	groups.flatMap(({ rule, lines }) => lines.map((line) => ({ rule, line })));
const TRICKS = pairsOf(TRICKS_BEHIND_ALLOWS);

it('allows none of the tricks', () => {
	expect(TRICKS.length).toBeGreaterThan(280);
	const tricks = [...TRICKS, ...pairsOf(UNTRIED_TRICKS_BEHIND_ALLOWS)];
	expect(tricks.filter(({ rule, line }) => covers(rule, line))).toEqual([]);
});

it('allows none of the tricks by combining rules, alone or after ordinary work', () => {
	const groups = [...TRICKS_BEHIND_ALLOWS, ...UNTRIED_TRICKS_BEHIND_ALLOWS, ...EVERYDAY_ALLOWED];
	const every = toRules(groups.map(({ rule }) => rule));
	const tricks = pairsOf([...TRICKS_BEHIND_ALLOWS, ...UNTRIED_TRICKS_BEHIND_ALLOWS]);
	expect(tricks.filter(({ line }) => isCombined(line, every))).toEqual([]);
	const everyday = pairsOf(EVERYDAY_ALLOWED);
	const joined = tricks.flatMap(({ rule, line }, at) => {
		const work = everyday[at % everyday.length];
		if (work === undefined || work.rule === rule) return [];
		return JOINS.map((join) => ({ rules: [rule, work.rule], line: `${work.line}${join}${line}` }));
	});
	expect(joined.length).toBeGreaterThan(1_000);
	expect(joined.filter(({ rules, line }) => isCombined(line, toRules(rules)))).toEqual([]);
});

const JOINS = [' && ', '; ', ' | ', '\n'];

function toRules(patterns: readonly string[]) {
	const own = { tool: 'Bash', decision: 'allow', scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 1 };
	return [...new Set(patterns)].map((argsPattern) => ruleSchema.parse({ ...own, id: argsPattern, argsPattern }));
}

function isCombined(command: string, rules: ReturnType<typeof toRules>): boolean {
	const verdict = judgeLine(command, rules);
	return verdict.decision === 'allow' && verdict.rules !== undefined;
}

function judgeLine(command: string, rules: ReturnType<typeof toRules>) {
	return judge({ tool: 'Bash', input: { command } }, rules, { sessionId: '', projectId: '' });
}

it('uses only tricks that work in real bash', { timeout: 3_600_000 }, async () => {
	await using world = await createTrickWorld();
	const tried = process.env.ROOST_SOAK === '1' ? TRICKS : TRICKS.filter((_, at) => at % 16 === 0);
	const waiting = tried.values();
	const silent: string[] = [];
	const workers = Array.from({ length: AT_ONCE }, async () => {
		for (const { line } of waiting) if (!(await world.shows(line))) silent.push(line);
	});
	await Promise.all(workers);
	expect(silent).toEqual([]);
});

it('allows a trick if the rule is identical or names its action', () => {
	for (const { line } of TRICKS.filter((trick) => simpleCommands(trick.line).parsed))
		expect(covers(line.replaceAll(/[\\*]/g, '\\$&'), line), line).toBe(true);
	for (const [rule, line] of NAMED) expect(covers(rule, line), line).toBe(true);
});

const NAMED = [
	['sort -o *', 'sort -o a b'],
	['sort * -o *', 'sort -u a -o b'],
	['npm exec *', 'npm exec -c "touch x"'],
	['npm test --prefix *', 'npm test --prefix sub'],
	['npm --prefix=* test', 'npm --prefix=sub test'],
	['git diff --output=* *', 'git diff --output=x main'],
	['git -c core.pager=* diff *', 'git -c core.pager=delta diff'],
	['find * -delete', 'find . -name x -delete'],
	['find * -exec rm *', 'find . -name x -exec rm {} +'],
	['curl * -o build/*', 'curl -s https://x -o build/y'],
	['python3 -c *', 'python3 -c "print(1)"'],
	['awk \'{ print > "x" }\' *', 'awk \'{ print > "x" }\' y'],
	['make SHELL=* *', 'make SHELL=/bin/bash all'],
	['ssh -o ProxyCommand=* *', 'ssh -o ProxyCommand=x y'],
] as const;

it('allows ordinary work, except lines whose options or expansions may act', () => {
	const everyday = pairsOf(EVERYDAY_ALLOWED);
	expect(everyday.length).toBeGreaterThan(420);
	expect(everyday.filter(({ rule, line }) => !covers(rule, line))).toEqual([]);
	const asked = EVERYDAY_ALLOWED.flatMap(({ rule, asked = [] }) => asked.map((line) => ({ rule, line })));
	expect(asked.filter(({ rule, line }) => covers(rule, line))).toEqual([]);
	expect(asked.length).toBeLessThan(everyday.length / 10);
});

it('allows two joined ordinary lines by the rules of both', () => {
	const everyday = pairsOf(EVERYDAY_ALLOWED);
	const pairs = everyday.flatMap((first, at) => {
		const second = everyday[(at * 7 + 31) % everyday.length];
		return second === undefined || second.rule === first.rule ? [] : [{ first, second }];
	});
	const asked = pairs
		.map(({ first, second }) => ({ line: `${first.line}\n${second.line}`, rules: toRules([first.rule, second.rule]) }))
		.filter(({ line, rules }) => judgeLine(line, rules).decision !== 'allow');
	expect(pairs.length).toBeGreaterThan(400);
	expect(asked.map(({ line }) => line)).toEqual([]);
});

it('never lets real find run a command under an allow rule for find', { timeout: 3_600_000 }, () => {
	const rounds = process.env.ROOST_SOAK === '1' ? 60_000 : 1_000;
	using bash = createBashCanary({ quiet: [], path: '/usr/bin:/bin' });
	let ran = 0;
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...FIND_PIECES), { minLength: 1, maxLength: 8 }), (pieces) => {
			const line = `find . -maxdepth 0 ${pieces.join('')}`;
			if (!covers('find *', line)) return;
			ran++;
			expect(bash.run(line)).toBeUndefined();
		}),
		{ numRuns: rounds },
	);
	expect(ran).toBeGreaterThan(rounds / 100);
	expect(bash.run('find . {-exec,canary} \\;')).toBe('find . {-exec,canary} \\;');
});

const FIND_PIECES = [
	...[
		' -exec',
		' canary',
		' \\;',
		' ";"',
		' {} +',
		'{',
		'}',
		',',
		'-exec',
		'-',
		'ex',
		'ec',
		' ',
		' ',
		' $Z',
		`\${Z}`,
		'"',
		"'",
		'\\',
		'\n',
	],
	...[
		'$(',
		')',
		'`',
		'find . -maxdepth 0 -printf ',
		`\${Z:-`,
		'..',
		'*',
		'?',
		'[',
		']',
		"$'",
		'\\x2d',
		'\\055',
		'~',
		' x',
		' -print',
		' -name',
		' -o',
	],
	...[
		'; find . ',
		' | find . ',
		' && find . ',
		' > /dev/null',
		' < /dev/null',
		' -ok',
		'dir',
		' -name x -o',
		' --',
		' \\(',
		' \\)',
		' !',
		'#',
	],
];
