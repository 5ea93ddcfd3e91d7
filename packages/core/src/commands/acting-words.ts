// Which words of a command run or write something besides its ordinary work, and which may turn out to when the line runs.
import { names } from '../shell/flags.ts';
import { fixedValue, fixedWord, type GuardWord, mayBeFlag, openWord } from '../shell/guard-word.ts';
import { baseName, runningWords, withoutGnuPrefix } from '../shell/wrappers.ts';
import { type Acting, actingRule } from './acting-table.ts';
import { gitActing } from './git-acting.ts';
import { onlyEdits, onlyPrints } from './scripts.ts';

/** `name`: the option or word as a pattern has to name it. `wraps`: it runs the command behind it. */
export type ActingWord = { name: string; kind: 'runs' | 'loads' | 'writes' | 'wraps' };
export type ActingWords = {
	acting: ActingWord[];
	/** A word that may turn out to be one. */
	unsure: GuardWord | undefined;
};

/** `name` as written; words with several values are split first. */
export function actingWords(name: string, args: readonly GuardWord[]): ActingWords {
	const words = args.flatMap(takeApart);
	const wrapping = runningWords([name, ...words.map((word) => fixedValue(word) ?? '')]);
	const base = withoutGnuPrefix(baseName(name));
	const own = ownActing(base, words);
	if (wrapping.length === 0) return own;
	// The input of xargs is appended to its words.
	const inner = tailsOf(base === 'xargs' ? [...words, openWord('what xargs reads')] : words);
	return {
		acting: [
			...wrapping.map((each): ActingWord => ({ name: each, kind: 'wraps' })),
			...own.acting.filter((each) => !wrapping.includes(each.name)),
			...inner.acting,
		],
		unsure: own.unsure ?? inner.unsure ?? words.find(isUnsure),
	};
}

/** `{a,b}` is two words. */
function takeApart(word: GuardWord): readonly GuardWord[] {
	if (!word.many || word.forms.some(({ sure }) => sure !== 'fixed')) return [word];
	return word.forms.map(({ value }) => fixedWord(value));
}

/** It is not known which word of a wrapper is its command, so every candidate is checked. */
function tailsOf(words: readonly GuardWord[]): ActingWords {
	const acting: ActingWord[] = [];
	let unsure: GuardWord | undefined;
	let tails = 0;
	for (const [at, word] of words.entries()) {
		const base = baseName(fixedValue(word) ?? '');
		if (base !== 'git' && actingRule(base) === undefined) continue;
		if (++tails > MAX_TAILS) return { acting, unsure: word };
		const found = ownActing(base, words.slice(at + 1));
		acting.push(...found.acting);
		unsure ??= found.unsure;
	}
	return { acting, unsure };
}

const MAX_TAILS = 20;

function ownActing(base: string, words: readonly GuardWord[]): ActingWords {
	if (base === 'git') return gitActing(words);
	if (base === 'find' || base === 'fd' || base === 'fdfind') return { acting: [], unsure: words.find(isUnsure) };
	const rule = actingRule(base);
	if (rule === undefined) return { acting: [], unsure: undefined };
	if (base === 'tar' && /^[^-]/.test(fixedValue(words[0]) ?? '')) return ownActing(base, dashed(words));
	const acting = [...optionsOf(rule, words), ...subcommandsOf(rule, words), ...scriptsOf(base, rule, words)];
	return { acting, unsure: rule.elsewhere ? undefined : unsureOf(rule, words) };
}

/** The letters of tar's first word are options with or without a dash. */
function dashed([first, ...rest]: readonly GuardWord[]): readonly GuardWord[] {
	return [...[...(fixedValue(first) ?? '')].map((letter) => fixedWord(`-${letter}`)), ...rest];
}

function isUnsure(word: GuardWord): boolean {
	return fixedValue(word) === undefined && mayBeFlag(word);
}

/** Every word that may be an option, including possible values of other options. */
function optionsOf(rule: Acting, words: readonly GuardWord[]): ActingWord[] {
	const end = endOfOptions(words);
	const found: ActingWord[] = [];
	for (const [at, word] of words.entries()) {
		const text = fixedValue(word);
		if (text === undefined) continue;
		if (rule.shape?.test(text)) found.push({ name: text.slice(0, text.indexOf('=') + 1 || text.length), kind: 'runs' });
		if (at >= end || !/^-./.test(text)) continue;
		const option = text.startsWith('--') || rule.dashes ? longOption(rule, text) : letterOption(rule, text);
		if (option === undefined) continue;
		const value = option.value ?? (words[at + 1] === undefined ? '' : fixedValue(words[at + 1]));
		if (acts(rule, option.name, value)) found.push({ name: option.name, kind: kindOf(rule, option.name) });
	}
	const operands = words.filter((word, at) => !/^-./.test(fixedValue(word) ?? '') && !isValue(rule, words[at - 1]));
	if (rule.operands !== undefined && operands.length > rule.operands) {
		const last = operands.at(-1);
		if (last !== undefined) found.push({ name: last.text, kind: 'writes' });
	}
	return found;
}

/** Whether the word before it certainly takes it as its value. */
function isValue({ takes }: Acting, before: GuardWord | undefined): boolean {
	return takes?.has(fixedValue(before) ?? '') ?? false;
}

function kindOf({ writes, makes, loads }: Acting, name: string): ActingWord['kind'] {
	if (writes?.has(name) || makes?.has(name)) return 'writes';
	return loads?.has(name) ? 'loads' : 'runs';
}

/** After `--`, unless an option before it takes that as its value. */
function endOfOptions(words: readonly GuardWord[]): number {
	const end = words.findIndex(
		(word, at) => fixedValue(word) === '--' && (at === 0 || !/^-[^=]*$/.test(fixedValue(words[at - 1]) ?? '-')),
	);
	return end < 0 ? words.length : end;
}

/** `value`: the one in the same word; undefined where it is the next word. */
type Option = { name: string; value: string | undefined };

function longOption(rule: Acting, text: string): Option | undefined {
	const { dashes } = rule;
	const [written = '', ...rest] = text.split('=');
	const value = rest.length > 0 ? rest.join('=') : undefined;
	const stripped = written.replace(/^-+/, '');
	const isLetter = dashes === 'any' && stripped.length === 1;
	const asked = dashes === 'one' || isLetter ? `-${stripped}` : `--${stripped}`;
	for (const name of namesOf(rule)) {
		const short = dashes !== 'one' && asked.length > 2 && name.startsWith('--') && name.startsWith(asked);
		const joined = dashes === 'one' && name.length === 2 && text.startsWith(name);
		if (name === asked || short || joined) return { name, value };
	}
	return undefined;
}

/** Letters up to the first with a value, which is the rest of the word. */
function letterOption(rule: Acting, text: string): Option | undefined {
	const wanted = namesOf(rule);
	if (wanted.has(text)) return { name: text, value: undefined };
	for (let at = 1; at < text.length; at++) {
		const name = `-${text[at]}`;
		const rest = text.slice(at + 1);
		if (wanted.has(name)) return { name, value: rest === '' ? undefined : rest };
		if (rule.takes?.has(name)) return undefined;
	}
	return undefined;
}

function namesOf(rule: Acting): ReadonlySet<string> {
	const known = NAMES.get(rule);
	if (known !== undefined) return known;
	const { runs = [], loads = [], code = [], writes = [], makes = [], valued } = rule;
	const all = new Set([...runs, ...loads, ...code, ...writes, ...makes, ...valued.keys()]);
	NAMES.set(rule, all);
	return all;
}

const NAMES = new WeakMap<Acting, ReadonlySet<string>>();

function acts({ writes, valued }: Acting, name: string, value: string | undefined): boolean {
	const shape = valued.get(name);
	if (shape !== undefined) return value === undefined || shape.test(value);
	return !(writes?.has(name) && NO_FILE.test(value ?? ''));
}

const NO_FILE = /^=?(?:-|\/dev\/(?:null|stdout|stderr))$/;

/** It is not known which options before a subcommand take a value: the word after one may be its value or the subcommand. */
function leading(words: readonly GuardWord[]): readonly GuardWord[] {
	const values = words.map(fixedValue);
	const end = values.findIndex(
		(value, at) => value !== undefined && !value.startsWith('-') && !/^-[^=]*$/.test(values[at - 1] ?? ''),
	);
	return words.slice(0, end < 0 ? words.length : end + 1);
}

/** Whether its subcommand is only known when the line runs. */
export function hidesSubcommand(base: string, args: readonly GuardWord[]): boolean {
	if (actingRule(base)?.words === undefined) return false;
	return leading(args.flatMap(takeApart)).some((word) => fixedValue(word) === undefined);
}

function subcommandsOf({ words: wanted, dashes }: Acting, words: readonly GuardWord[]): ActingWord[] {
	if (wanted === undefined) return [];
	const candidates = leading(words).map((word) => fixedValue(word) ?? '');
	const next = (fixedValue(words[candidates.length]) ?? '').replace(/^--/, '');
	// npm accepts unambiguous abbreviations of commands.
	const isMeant = (each: string, value: string) =>
		each === value || (dashes === 'any' && value.length > 2 && !each.includes('_') && each.startsWith(value));
	return candidates.flatMap((value): ActingWord[] => {
		const found = [...wanted].find((each) => isMeant(each, value) || each === `${value}_${next}`);
		return found === undefined || value === '' ? [] : [{ name: value, kind: 'runs' }];
	});
}

function scriptsOf(base: string, rule: Acting, words: readonly GuardWord[]): ActingWord[] {
	const isAwk = AWKS.has(base);
	if (!isAwk && !SEDS.has(base)) return [];
	const scripts: GuardWord[] = [];
	let first: GuardWord | undefined;
	let fromFile = false;
	for (let at = 0; at < words.length; at++) {
		const word = words[at];
		const value = fixedValue(word);
		if (word === undefined) break;
		if (value === undefined || !/^-./.test(value)) first ??= word;
		else if (/^(?:-\w*e|--expression)$/.test(value) && !isAwk) scripts.push(...words.slice(++at, at + 1));
		else if (/^-\w*e.|^--e\w*=/.test(value) && !isAwk) scripts.push(fixedWord(value.replace(/^(?:-\w*?e|--e\w*=)/, '')));
		else if (rule.runs?.has(value)) fromFile = ++at > 0;
		else if (rule.takes?.has(value)) at++;
	}
	const given = scripts.length > 0 || fromFile || first === undefined ? scripts : [first];
	const isHarmless = (text: string | undefined) => (isAwk ? onlyPrints(text ?? '|', true) : onlyEdits(text ?? 'w'));
	return given.flatMap((script): ActingWord[] => (isHarmless(fixedValue(script)) ? [] : [{ name: script.text, kind: 'runs' }]));
}

const SEDS = names('sed gsed');
const AWKS = names('awk gawk mawk');

/** A quoted value of an option that certainly takes one is not an option. */
function unsureOf(rule: Acting, words: readonly GuardWord[]): GuardWord | undefined {
	const end = endOfOptions(words);
	const early = rule.words === undefined ? undefined : leading(words).find((word) => fixedValue(word) === undefined);
	if (early !== undefined) return early;
	return words.slice(0, end).find((word, at) => isUnsure(word) && (word.many || !isValue(rule, words[at - 1])));
}
