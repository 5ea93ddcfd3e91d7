// What `find` does besides finding: commands it runs, files it deletes or writes.
import { fixed, fixedValue, type GuardWord, openWord } from './guard-word.ts';

const EXECS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** The same without those that ask first, for which there is nobody. */
const RUNS = new Set(['-exec', '-execdir']);
const FILES = new Set(['-fprint', '-fprint0', '-fprintf', '-fls']);

/** The commands it runs; `{}` stands for something below one of the folders it starts from. */
export function findExec(args: readonly GuardWord[]): GuardWord[][] {
	const roots = findRoots(args);
	const found: GuardWord[][] = [];
	for (let at = 0; at < args.length; at++) {
		if (!EXECS.has(fixedValue(args[at]) ?? '')) continue;
		const rest = args.slice(at + 1);
		const end = rest.findIndex((word) => [';', '+'].includes(fixedValue(word) ?? ''));
		const words = end < 0 ? rest : rest.slice(0, end);
		found.push(words.map((word) => (word.text.includes('{}') ? standIn(word, roots) : word)));
		at += words.length;
	}
	return found;
}

/** Its own words, without the commands it runs. */
export function withoutExec(args: readonly GuardWord[]): GuardWord[] {
	const own: GuardWord[] = [];
	for (let at = 0; at < args.length; at++) {
		const word = args[at];
		if (word === undefined) break;
		if (!RUNS.has(fixedValue(word) ?? '')) own.push(word);
		else while (at + 1 < args.length && ![';', '+'].includes(fixedValue(args[at]) ?? '')) at++;
	}
	return own;
}

/** Where it starts to look. It follows links below only if it is told to. */
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

/** With something harmless behind it, it is still below the same folder; what exactly it is, nobody can tell. */
function standIn(word: GuardWord, roots: readonly GuardWord[]): GuardWord {
	const plain = /^\{\}[\w.~-]*$/.test(fixedValue(word) ?? '');
	if (!plain) return openWord(word.text);
	const forms = roots.flatMap((root) => root.forms);
	return { text: word.text, forms: forms.map((form) => (form.sure === 'fixed' ? { ...form, sure: 'glob' } : form)) };
}
