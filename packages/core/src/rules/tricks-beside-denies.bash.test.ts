// Lines that hide a command from a deny rule, with an allow for everything else: real bash shows the effect of each, and none is allowed.
import { type Rule, rule } from '@roost/protocol/rule';
import { EVERYDAY_ALLOWED } from '@roost/testkit/corpora/everyday-allowed';
import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { PUSH_TRICKS } from '@roost/testkit/corpora/push-tricks';
import { READING_COMMANDS } from '@roost/testkit/corpora/reading-commands';
import { shellPieces } from '@roost/testkit/corpora/shell-pieces';
import { RM_TRICKS } from '@roost/testkit/corpora/tricks-beside-denies';
import { createBashCanary } from '@roost/testkit/rigs/shell/bash-canary';
import { createTrickWorld, type TrickWorld } from '@roost/testkit/rigs/shell/trick-world';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simpleCommands } from '../shell/simple-commands.ts';
import { judge } from './match.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const AT_ONCE = 4;

function makeRule(id: string, fields: { decision?: string; argsPattern?: string; addedBy?: string } = {}): Rule {
	const own = { tool: 'Bash', decision: 'allow', scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 1 };
	return rule.parse({ id, ...own, ...fields });
}

const ALL = makeRule('all');
const NO_RM = makeRule('no-rm', { decision: 'deny', argsPattern: 'rm *' });
const NO_PUSH = makeRule('no-push', { decision: 'deny', argsPattern: 'git push *' });
const verdictOn = (command: string, ...rules: Rule[]) =>
	judge({ tool: 'Bash', input: { command } }, rules, { sessionId: 's', projectId: 'p' });
const decide = (command: string, ...rules: Rule[]) => verdictOn(command, ...rules).decision;
const allowed = (lines: readonly string[], ...rules: Rule[]) => lines.filter((line) => decide(line, ...rules) === 'allow');

async function silentIn(
	lines: readonly string[],
	shows: (world: TrickWorld, line: string) => Promise<boolean>,
): Promise<string[]> {
	await using world = await createTrickWorld();
	const silent: string[] = [];
	const waiting = (SOAK ? lines : lines.filter((_, at) => at % 24 === 0)).values();
	const workers = Array.from({ length: AT_ONCE }, async () => {
		for (const line of waiting) if (!(await shows(world, line))) silent.push(line);
	});
	await Promise.all(workers);
	return silent;
}

describe('rules next to an allow for everything', () => {
	it('allow no trick with a deny of rm, and each trick deletes the file in real bash', { timeout: 3_600_000 }, async () => {
		expect(RM_TRICKS.length).toBeGreaterThan(390);
		expect(allowed(RM_TRICKS, ALL, NO_RM)).toEqual([]);
		expect(await silentIn(RM_TRICKS, (world, line) => world.shows(line))).toEqual([]);
	});

	it('allow no trick with a deny of git push, and each trick pushes in real bash', { timeout: 3_600_000 }, async () => {
		expect(PUSH_TRICKS.length).toBeGreaterThan(100);
		expect(allowed(PUSH_TRICKS, ALL, NO_PUSH)).toEqual([]);
		expect(await silentIn(PUSH_TRICKS, (world, line) => world.pushes(line))).toEqual([]);
	});

	it('treat an ask of the same scope like a deny, but not an ask of a wider scope', () => {
		const ask = makeRule('ask', { decision: 'ask', argsPattern: 'rm *' });
		expect(allowed(RM_TRICKS, ALL, ask)).toEqual([]);
		const near = rule.parse({ ...ALL, scope: 'session', scopeId: 's' });
		expect(decide('x=rm; $x v', near, ask)).toBe('allow');
		expect(decide('x=rm; $x v', near, NO_RM)).toBe('ask');
	});

	it('allow any readable line without other shell rules, or with only built-in ones', () => {
		const builtin = makeRule('builtin', { decision: 'deny', argsPattern: 'roost allow *', addedBy: 'roost' });
		const other = rule.parse({ ...NO_RM, tool: 'Write' });
		for (const rules of [[ALL], [ALL, builtin], [ALL, other]])
			for (const line of ['x=rm; $x v', 'echo rm v | sh', 'python3 -c x', 'eval "$x"'])
				expect(decide(line, ...rules)).toBe('allow');
	});

	it('ask about few everyday lines, with a reason', () => {
		const lines = new Set([
			...EVERYDAY_COMMANDS,
			...READING_COMMANDS,
			...EVERYDAY_ALLOWED.flatMap(({ lines: own, asked = [] }) => [...own, ...asked]),
		]);
		const asked = [...lines].filter((line) => decide(line, ALL, NO_RM, NO_PUSH) === 'ask');
		expect(lines.size).toBeGreaterThan(800);
		expect(asked).toEqual(ASKED);
		for (const line of ['echo $HOME', 'for f in *; do cat $f; done', 'npm test', 'bash scripts/x.sh', "bash <<'E'\nls\nE"])
			expect(decide(line, ALL, NO_RM, NO_PUSH)).toBe('allow');
		expect(verdictOn('x=rm; $x v', ALL, NO_RM)).toMatchObject({ rule: NO_RM, why: 'the name of a command is hidden in $x' });
	});

	it('deny commands that braces, variables and here-documents plainly contain', () => {
		for (const line of ['r{m,} v', '{rm,v}', 'bash <<E\nrm v\nE', 'bash <<< "rm v"', 'x=-exec; find . $x rm {} \\;', 'sudo rm v'])
			expect(decide(line, ALL, NO_RM), line).toBe('deny');
		for (const line of ['x=push; git $x', 'for c in pull push; do git $c; done', 'git {push,-q}'])
			expect(decide(line, ALL, NO_PUSH), line).toBe('deny');
	});

	it('allow an exact rule, and ask about commands in the input of a shell that the rule names', () => {
		const exact = makeRule('exact', { argsPattern: 'echo rm v | sh' });
		expect(decide('echo rm v | sh', exact, NO_PUSH)).toBe('allow');
		const named = makeRule('named', { argsPattern: 'bash *' });
		expect(decide('bash < x', named, NO_RM)).toBe('ask');
		expect(decide('bash x.sh', named, NO_RM)).toBe('allow');
		expect(decide('python3 -c x', makeRule('code', { argsPattern: 'python3 -c *' }), NO_RM)).toBe('allow');
	});
});

describe('rules next to allows that cover each part of a line', () => {
	/** The widest allows that a user may have for each part: its name with any arguments, and its exact text. */
	const allowsFor = (line: string): Rule[] => {
		const read = simpleCommands(line);
		const commands = read.parsed ? read.commands : read.recovered;
		const patterns = commands.flatMap(({ words, text }) => [`${words[0] ?? ''} *`, text.replaceAll(/[\\*]/g, '\\$&')]);
		return [...new Set(patterns)].filter((each) => each !== '').map((argsPattern) => makeRule(argsPattern, { argsPattern }));
	};
	const combined = (lines: readonly string[], deny: Rule) =>
		lines.filter((line) => {
			const verdict = verdictOn(line, deny, ...allowsFor(line));
			return verdict.decision === 'allow' && verdict.rules !== undefined;
		});

	it('allow no trick with a deny', () => {
		expect(combined(RM_TRICKS, NO_RM)).toEqual([]);
		expect(combined(PUSH_TRICKS, NO_PUSH)).toEqual([]);
	});

	it('allow ordinary work', () => {
		const line = 'cd src && git status && ls | grep x';
		expect(verdictOn(line, NO_RM, NO_PUSH, ...allowsFor(line))).toMatchObject({ decision: 'allow' });
	});
});

/** Inline code, settings and options that make git or npm run something else, and one substitution that may be an option. */
const ASKED = [
	'git rebase -x "npm test" main',
	'git rebase --exec "npm test" main',
	'git diff $(git merge-base HEAD main)',
	'git -c core.pager=delta diff',
	'git config core.editor vim',
	'git submodule foreach git pull',
	'npm config set fund false',
	'node -e "console.log(1)"',
	'python3 -c "print(1)"',
	"python3 -c 'import sys; print(sys.path)'",
];

it('never lets real bash run a denied command in an allowed line', { timeout: 3_600_000 }, () => {
	const rounds = SOAK ? 60_000 : 1_000;
	const deny = makeRule('deny', { decision: 'deny', argsPattern: 'canary *' });
	// Lines that may write are run here, so no piece may name a file outside of the folder.
	const pieces = shellPieces('safe', 'canary').filter((each) => !each.includes('/'));
	const piece = fc.constantFrom(...pieces, ...HIDING);
	using bash = createBashCanary({ quiet: ['safe'], path: '/usr/bin:/bin' });
	let ran = 0;
	fc.assert(
		fc.property(fc.array(piece, { minLength: 1, maxLength: 9 }), (chosen) => {
			const line = `safe ${chosen.join('')}`;
			if (decide(line, ALL, deny) !== 'allow') return;
			ran++;
			expect(bash.run(line)).toBeUndefined();
		}),
		{ numRuns: rounds },
	);
	expect(ran).toBeGreaterThan(rounds / 100);
	expect(bash.run('safe; x=canary; $x')).toBe('safe; x=canary; $x');
});

it('never lets real bash run a denied command in a line whose parts are allowed by several rules', {
	timeout: 3_600_000,
}, () => {
	const rounds = SOAK ? 60_000 : 1_000;
	const names = 'safe x=* env command xargs find . read set printf timeout git awk exec trap eval sh bash for'.split(' ');
	const allows = names.map((name) => makeRule(name, { argsPattern: `${name} *` }));
	const deny = makeRule('deny', { decision: 'deny', argsPattern: 'canary *' });
	const pieces = shellPieces('safe', 'canary').filter((each) => !each.includes('/'));
	const piece = fc.constantFrom(...pieces, ...HIDING, ...HIDING, ...AND_MORE);
	using bash = createBashCanary({ quiet: ['safe'], path: '/usr/bin:/bin' });
	let ran = 0;
	fc.assert(
		fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }), (chosen) => {
			const line = `safe ${chosen.join('')}`;
			const verdict = verdictOn(line, deny, ...allows);
			if (verdict.decision !== 'allow' || verdict.rules === undefined) return;
			ran++;
			expect(bash.run(line)).toBeUndefined();
		}),
		{ numRuns: rounds },
	);
	expect(ran).toBeGreaterThan(rounds / 200);
});

const AND_MORE = [
	'; env safe ',
	' | xargs safe ',
	'; printf x ',
	' | env ',
	'; timeout 5 safe ',
	' $(printf x)',
	'; env $(printf canary) ',
];

const HIDING = [
	...[
		'; x=canary; ',
		'; $x ',
		'; "$x" ',
		'; c{anary,} ',
		'; {canary,x} ',
		'| sh ',
		'| bash ',
		'; sh <<< ',
		'; bash <<E\n',
		'; eval ',
	],
	...[
		'; env ',
		'; command ',
		'; xargs ',
		'; find . -maxdepth 0 -exec ',
		' \\;',
		'; . /dev/stdin <<< ',
		'; set -- canary; ',
		'; "$@" ',
	],
	...["; $'can\\x61ry' ", '; for c in canary; do $c; done', '; read x <<< canary; ', '; timeout 5 ', '; git -c alias.x=', ' x '],
	...[
		"'!canary'",
		'; awk ',
		'\'BEGIN { system("canary") }\'',
		'; printf canary | ',
		'; exec ',
		'; trap canary EXIT',
		'; f() { canary; }; f',
	],
];
