// Interpreters that take their program from the line or from their input, where it cannot be judged.
import { findFlag, names, namesBy, readArguments } from '../shell/flags.ts';
import { fixedValue, type GuardWord } from '../shell/guard-word.ts';
import { INTERPRETERS } from './acting-table.ts';

/** Where its program comes from; hidden where a word may be anything. */
type InlineCode = { from: 'line' | 'input' | 'hidden'; why: string };

/** Code in the line itself, or from its input, cannot be judged. */
export function inlineCode(base: string, args: readonly GuardWord[]): InlineCode | undefined {
	const flags = INTERPRETERS.get(base) ?? INTERPRETERS.get(base.replace(/[\d.]+$/, ''));
	if (flags === undefined) return undefined;
	const how = `write the program to a file in your worktree and run: ${base} <file>`;
	const takes = INTERPRETER_VALUES.get(base.replace(/[\d.]+$/, '')) ?? names();
	const read = readArguments(args, takes, true);
	const first = fixedValue(read.operands[0]);
	if (args.some((word) => word.forms.some(({ value }) => /^(?:--\w+=)?data:/.test(value))))
		return { from: 'line', why: `code in a command line cannot be judged: ${how}` };
	if (read.unsure) return { from: 'hidden', why: `${read.unsure.text} hides what ${base} runs: write it out` };
	// After an option that may take a value, the apparent file may be that value.
	const clear = read.flags.every(
		({ name, value }) => value !== undefined || takes.has(name) || PLAIN_INTERPRETER_FLAGS.has(name),
	);
	if (findFlag(clear ? read : readArguments(args, names()), flags) || (first !== undefined && flags.has(first)))
		return { from: 'line', why: `code in a command line cannot be judged: ${how}` };
	const asked = read.flags.some((flag) => INTERPRETER_MODES.has(flag.name));
	if ((read.operands.length > 0 || asked) && first !== '-') return undefined;
	return { from: 'input', why: `${base} would read its program from its input: ${how}` };
}

/** Their options whose value is the next word. */
const INTERPRETER_VALUES = namesBy({
	'node nodejs ts-node tsx': '-r --require --import -C --conditions --env-file --loader',
	'python pypy': '-W -X -m',
	ruby: '-I -r -C',
	perl: '-I',
	php: '-d -c',
	lua: '-l',
});

/** Options without a value, of any interpreter. */
const PLAIN_INTERPRETER_FLAGS = names(
	'--test --watch --check --version --help --inspect --inspect-brk --no-warnings --enable-source-maps -u -B -q -v -V -h -s -O -w --run',
);

/** Modes that need no operand. */
const INTERPRETER_MODES = names('--version -v -V --help -h --test -m --check -c --run --watch');
