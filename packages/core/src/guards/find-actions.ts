// The actions of `find`: commands it runs, files it deletes or writes.
import { type Form, fixed, fixedValue, type GuardWord, mayBeFlag, openWord } from '../shell/guard-word.ts';
import { isPath } from './dirs.ts';

const EXECS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** The same without those that ask for confirmation, which no agent can answer. */
const RUNS = new Set(['-exec', '-execdir']);
const FILES = new Set(['-fprint', '-fprint0', '-fprintf', '-fls']);

/** The commands it runs; `{}` stands for something below one of the folders it starts from. */
export function findExec(args: readonly GuardWord[]): { why: string } | { commands: readonly GuardWord[][] } {
	const commands: GuardWord[][] = [];
	for (let at = 0; at < args.length; at++) {
		const name = fixedValue(args[at]) ?? '';
		if (!EXECS.has(name)) continue;
		if (name.endsWith('dir')) return { why: `find ${name} runs commands in other folders: use -exec` };
		const words = args.slice(at + 1, endOfExec(args, at));
		const unsure = words.find(mayEndExec);
		if (unsure !== undefined) return { why: `${unsure.text} may end what find is to run: write it out` };
		// After another option the same word is only its value.
		if (/^(?:[-(!,)]|$)/.test(fixedValue(words[0]) ?? '')) return { why: 'what find runs is unclear' };
		const sure = findsNoLinks(args.slice(0, at)) ? 'glob' : 'found';
		commands.push(words.map((word) => standIn(word, findRoots(args), sure)));
		at += words.length;
	}
	return { commands };
}

/** The end of the command that starts after this position: `;`, or a `+` right after `{}` if names are collected. */
function endOfExec(args: readonly GuardWord[], from: number): number {
	const collects = !fixedValue(args[from])?.startsWith('-ok');
	for (let at = from + 1; at < args.length; at++) {
		const value = fixedValue(args[at]);
		if (value === ';' || (collects && value === '+' && fixedValue(args[at - 1]) === '{}')) return at;
	}
	return args.length;
}

function mayEndExec(word: GuardWord): boolean {
	return fixedValue(word) === undefined && (mayBeFlag(word) || word.forms.some(({ value }) => /^[;+]/.test(value)));
}

/** Its own words, without the commands it runs. */
export function withoutExec(args: readonly GuardWord[]): GuardWord[] {
	const own: GuardWord[] = [];
	for (let at = 0; at < args.length; at++) {
		const word = args[at];
		if (word === undefined) break;
		if (!RUNS.has(fixedValue(word) ?? '')) own.push(word);
		else at = endOfExec(args, at);
	}
	return own;
}

/** The folders it starts from. It follows links below them only with an option. */
export function findRoots(args: readonly GuardWord[]): GuardWord[] {
	const start = args.findIndex((word) => !/^-[HPLDO]/.test(fixedValue(word) ?? ''));
	const rest = start < 0 ? [] : args.slice(start);
	const end = rest.findIndex((word) => /^[-(!,]/.test(fixedValue(word) ?? ''));
	const roots = end < 0 ? rest : rest.slice(0, end);
	return roots.length > 0 ? [...roots] : [{ text: '.', forms: [fixed('.')] }];
}

export function followsLinks(args: readonly GuardWord[]): boolean {
	return args.some((word) => ['-L', '-follow', '-files0-from'].includes(fixedValue(word) ?? ''));
}

export function findDeletes(args: readonly GuardWord[]): boolean {
	return args.some((word) => fixedValue(word) === '-delete');
}

export function findWrites(args: readonly GuardWord[]): GuardWord[] {
	return args.flatMap((word, at) => (FILES.has(fixedValue(word) ?? '') ? [args[at + 1] ?? openWord(word.text)] : []));
}

/** `{}` with a harmless suffix is still below the same folder, but otherwise unknown. */
function standIn(word: GuardWord, roots: readonly GuardWord[], found: 'glob' | 'found'): GuardWord {
	const value = fixedValue(word);
	// A pattern may match a file of that name.
	if (value === undefined) return word.forms.every(isPlain) ? word : openWord(word.text);
	if (!value.includes('{}')) return word;
	if (!/^\{\}[\w.~-]*$/.test(value)) return openWord(word.text);
	const sure = value === '{}' ? found : 'found';
	const forms = roots.flatMap((root) => root.forms);
	return { text: word.text, forms: forms.map((form) => (isPath(form) ? { ...form, sure } : form)) };
}

function isPlain({ value, sure }: Form): boolean {
	return sure === 'fixed' && !value.includes('{}');
}

/** Whether the options before it restrict find to files or to folders in every case. */
function findsNoLinks(before: readonly GuardWord[]): boolean {
	const own = withoutExec(before).map((word) => fixedValue(word) ?? '');
	if (own.some((value) => /^(?:-or?|,|\(|\))$/.test(value))) return false;
	return own.some(
		(value, at) => value === '-type' && /^[fd]$/.test(own[at + 1] ?? '') && !/^(?:!|-not)$/.test(own[at - 1] ?? ''),
	);
}
