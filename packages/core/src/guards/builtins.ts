// Builtins that set variables or evaluate their arguments: which names they set, or why that is unclear.
import { names, readArguments, readTable, valuesOf } from '../shell/flags.ts';
import { fixedValue, fixedWord, type GuardWord, isNumber, mayBeFlag } from '../shell/guard-word.ts';

export type SetName = { name: string; value: GuardWord | undefined };
export type SetBy = { why: string } | { settings: readonly SetName[] };

/** Lists are names separated by blanks. */
type Row = {
	/** Options that are understood. */
	flags: string;
	/** Those with a value. */
	takes?: string;
	/** Those whose value is a variable. */
	into?: string;
	/** How many operands before the names; `none`: its operands are no names. */
	skip?: number | 'none';
	/** Other variables that it sets. */
	also?: string;
};

const ROWS: Record<string, Row> = {
	read: { flags: '-r -s -e -a -d -i -n -N -p -t -u', takes: '-d -i -n -N -p -t -u', into: '-a', also: 'REPLY' },
	'mapfile readarray': { flags: '-t -d -n -s -u', takes: '-d -n -s -u', also: 'MAPFILE' },
	getopts: { flags: '', skip: 1, also: 'OPTARG OPTIND' },
	unset: { flags: '-v -f' },
	wait: { flags: '-n -f -p', into: '-p', skip: 'none' },
	printf: { flags: '-v', into: '-v', skip: 'none' },
	// Other options make later values something else: a list, a number, another name, capital letters.
	'declare typeset local': { flags: '-x -g -p -f -F' },
	export: { flags: '-n -p -f' },
};

const RULES = readTable(ROWS, ['flags', 'takes', 'into', 'also']);

/** The variables that a builtin sets; undefined for commands that set none. */
export function setBy(name: string, args: readonly GuardWord[]): SetBy | undefined {
	const rule = RULES.get(name);
	if (rule === undefined) return undefined;
	const { flags = names(), takes = names(), into = names(), skip = 0, also = names() } = rule;
	const read = readArguments(args, new Set([...takes, ...into]), true);
	const bad = read.flags.find((flag) => !flags.has(flag.name));
	if (bad !== undefined) return { why: `${name} ${bad.name} changes what a variable means, or runs something` };
	if (read.unsure) return { why: `${read.unsure.text} may be an option of ${name}: write it out` };
	const set = [...valuesOf(read, into), ...(skip === 'none' ? [] : read.operands.slice(skip))].map(toSetName);
	if (set.includes(undefined)) return { why: `the variable that ${name} sets is unclear: name it` };
	const more = [...also].map((each) => ({ name: each, value: undefined }));
	return { settings: [...set.filter((each) => each !== undefined), ...more] };
}

function toSetName(word: GuardWord): SetName | undefined {
	const [form, ...others] = word.forms;
	const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(form?.value ?? '') ?? [];
	if (name === undefined || others.length > 0 || word.many) return undefined;
	if (form?.sure === 'fixed') return { name, value: value === undefined ? undefined : fixedWord(value) };
	// Only the part before the equals sign is certain.
	return value === undefined ? undefined : { name, value: undefined };
}

/** Why a builtin may run its arguments as code, or change how the rest of the line is read. */
export function whyNotBuiltin(name: string, args: readonly GuardWord[], declared: readonly SetName[]): string | undefined {
	switch (name) {
		case 'declare':
		case 'typeset':
		case 'local':
			return args.map((word) => declaredValue(word, declared)).some(mayBeList)
				? `${name} evaluates lists: write x=… by itself`
				: undefined;
		case 'test':
		case '[':
			return whyNotTested(args);
		case 'set':
			return isUsualSet(args) ? undefined : 'set changes how the shell reads the line';
		case 'let':
			return 'let evaluates text: write x=$((…))';
		case 'readonly':
			return 'readonly makes later assignments fail: leave it out';
		default:
			return undefined;
	}
}

/** Assignments among the words are read separately. */
function declaredValue(word: GuardWord, declared: readonly SetName[]): GuardWord | undefined {
	const apart = declared.find(({ name }) => word.text.startsWith(`${name}=`));
	if (apart !== undefined) return apart.value;
	const value = fixedValue(word);
	return value === undefined ? undefined : fixedWord(value.slice(value.indexOf('=') + 1));
}

/** If the name is a list already, a value that looks like one is evaluated. */
function mayBeList(value: GuardWord | undefined): boolean {
	return (
		value === undefined || value.forms.some((form) => form.value.startsWith('(') || (form.sure === 'open' && form.value === ''))
	);
}

/** `-v` evaluates a subscript, so no unknown word may be it: unknown words are allowed only in short plain tests. */
function whyNotTested(args: readonly GuardWord[]): string | undefined {
	const whole = fixedValue(args.at(-1)) === ']' ? args.slice(0, -1) : args;
	const words = fixedValue(whole[0]) === '!' ? whole.slice(1) : whole;
	if (words.some((word, at) => /^-[vR]$/.test(fixedValue(word) ?? '') && !/^\w+$/.test(fixedValue(words[at + 1]) ?? '')))
		return 'an argument is evaluated as a subscript';
	const open = words.find((word) => mayBeFlag(word) && !isNumber(word.forms));
	if (open === undefined) return undefined;
	if (open.many) return `${open.text} may become several words: put it in double quotes`;
	const operator = fixedValue(words.at(-2)) ?? '';
	const plain =
		words.length === 1 || (words.length === 2 && UNARY.test(operator)) || (words.length === 3 && BINARY.test(operator));
	return plain ? undefined : `${open.text} may turn out to be an operator of the test: write it as [ … ] && [ … ]`;
}

const UNARY = /^-[a-uw-zA-QS-Z]$/;
const BINARY = /^(?:[=<>]|==|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

const SHELL_SETTING = /^(?:--|[-+][aeEufxv]*o?)$/;
const SHELL_OPTION = /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber)$/;

/** The words behind `--` are not tracked here. */
function isUsualSet(args: readonly GuardWord[]): boolean {
	const end = args.findIndex((word) => fixedValue(word) === '--');
	return (end < 0 ? args : args.slice(0, end)).every((word, at) => isUsualSetting(word, args[at - 1]));
}

function isUsualSetting(word: GuardWord, before: GuardWord | undefined): boolean {
	return /^[-+]\w*o$/.test(fixedValue(before) ?? '') ? isUsualOption(word) : SHELL_SETTING.test(fixedValue(word) ?? '');
}

/** A shell option that does not change the values of words. */
export function isUsualOption(word: GuardWord | undefined): boolean {
	return SHELL_OPTION.test(fixedValue(word) ?? '');
}
