import { describe, expect, it } from 'vitest';
import { type Budget, createBudget, MAX_STEPS } from '../shell/budget.ts';
import { judgeLine } from './judge-line.ts';
import { walkLine } from './walk-line.ts';

const LONGEST = 131_072;
const many = (piece: string, length = LONGEST) => piece.repeat(length / piece.length);
const half = (piece: string) => many(piece, LONGEST / 2);
const letters = (count: number) => many('a ', 2 * count);
/** In one command, because the number of commands has a limit of its own. */
const VARIABLES = Array.from({ length: 9_000 }, (_, at) => `v${at}=1`).join(' ');

/** Each costs more than linear time, for a different reason. */
const HOSTILE: Record<string, string> = {
	'variables copied for each branch': `${VARIABLES}; ${half(':&&:;').slice(0, -100)}`,
	'variables copied for each pipe': `${VARIABLES}; ${many(':|:;', 40_000)}`,
	'variables copied for each substitution': `${VARIABLES}; : ${many('$(:)', 4 * 900)}`,
	'nested loops': `${many('for i in a;do ', 250 * 14)}${many(':;', 100_000)}${many('done;', 250 * 5)}`,
	'a value that is run many times': `x=": '${many('{', 2_900)}'";${many('bash -c "$x";', 13 * 1_000)}`,
	'every pair of words': `find ${letters(1_500)} -exec rm ${many('{} ', 3 * 1_500)} \\;`,
	'many words in many folders': `cd {a,b,c,d,e,f,g,h};for i in ${letters(60)};do rm ${many('$i ', 3 * 200)};done`,
	'a word with many lookaheads': `sed -n $'s/${many('\\x5b', 4 * 30_000)}/a/'`,
	'many written files': `{ :; } ${many('>a ', 30_000)}`,
	'many open brackets': `${many('{', 2_900)}${many('a', 100_000)}`,
	'many here-documents': `: ${many('<<E ', 100_000)}`,
	'a line over the length limit': many('a', LONGEST + 1),
};

describe('line crafted to be slow', () => {
	it.each(Object.entries(HOSTILE))('is denied within the step budget: %s', (_, line) => {
		const budget = counting();
		expect(walkLine(line, new Map(), budget).hidden).toMatch(/too long to be understood/);
		// Every step is charged before it is taken; after the last one the walk only returns.
		expect(budget.asked).toBeLessThan(2 * MAX_STEPS);
		expect(judgeLine(line, { writes: true, agentName: 'bee', worktreePath: '/home/dev/tree', gates: [] }).allowed).toBe(false);
	});

	it('cannot make a value grow without bound', () => {
		const line = `x=aaaaaaaa;${many('x="$x$x";', 9 * 1_500)} rm "$x"`;
		const { parts } = walkLine(line);
		expect(parts.at(-1)?.args[0]?.forms).toEqual([{ value: '', sure: 'open' }]);
	});

	it('is not confused with a long file, a long message or many names', () => {
		const code = many('function add(a, b) {\n\treturn [a + b];\n}\n', 30_000);
		for (const line of [
			`cat > src/add.js <<'EOF'\n${code}EOF`,
			`cat > notes.md <<'EOF'\n${many('Nothing happens here.\n', 100_000)}EOF`,
			`git commit -m '${many('Nothing happens here.\n', 8_000)}'`,
			`git add ${many('src/a-file-among-many.ts ', 25 * 1_000)}`,
			many('echo one && echo two\n', 21 * 900),
		])
			expect(walkLine(line).hidden, line.slice(0, 40)).toBeUndefined();
	});
});

function counting(): Budget & { asked: number } {
	const budget = createBudget();
	let asked = 0;
	return {
		spend: (steps) => {
			asked++;
			return budget.spend(steps);
		},
		get spent() {
			return budget.spent;
		},
		get isSpent() {
			return budget.isSpent;
		},
		get asked() {
			return asked;
		},
	};
}
