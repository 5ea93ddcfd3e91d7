// The verdict on a shell line of an agent that writes in its worktree: what it may not do, and the paths that must lie inside.
import { baseName } from '../shell/wrappers.ts';
import { below } from './dirs.ts';
import { findFlag, names, readArguments, valuesOf } from './flags.ts';
import { judgeGit } from './git-writing.ts';
import { type Form, fixedValue, type GuardWord } from './guard-word.ts';
import { whyNotRoost } from './roost-reading.ts';
import { whyNotSetting } from './settings.ts';
import { SPECIAL_WRITERS } from './special-writers.ts';
import { type Part, type WalkedLine, walkLine } from './walk-line.ts';
import { FILE_RULES, type FileRule, INTERPRETER_MODES, INTERPRETERS, NEVER, ONLY_READS, PUBLISHING } from './writing-table.ts';
import { xxdOperands } from './xxd-words.ts';

/** A path that must lie in the worktree, seen from where the line starts; a pattern of names where `glob` is set. */
export type BoundPath = { path: string; glob: boolean };

export type Writing = { why: string } | { paths: readonly BoundPath[] };

/** What a command changes, or why it may not run. Paths are words, seen from where it runs. */
export type Finding = { why: string } | { paths: readonly GuardWord[] };

export function judgeWriting(line: WalkedLine, agentName: string): Writing {
	if (line.hidden !== undefined) return { why: `${line.hidden}. Write it as separate plain commands` };
	const paths: BoundPath[] = [{ path: '.', glob: false }];
	for (const part of line.parts) {
		const found = judgePart(part, agentName);
		if ('why' in found) return found;
		const bound = boundPaths(part, [...part.writes, ...found.paths]);
		if ('why' in bound) return bound;
		paths.push(...bound.paths);
	}
	return { paths };
}

function judgePart(part: Part, agentName: string): Finding {
	const { name = '', args } = part;
	const setting = whyNotSetting(part);
	if (setting !== undefined) return { why: setting };
	const base = baseName(name);
	const never = NEVER.get(base) ?? publishing(base, args);
	if (never !== undefined) return { why: `"${base}" is not for you: ${never}` };
	const roost = base === 'roost' ? whyNotRoost(args) : undefined;
	if (roost !== undefined) return { why: roost };
	const code = inlineCode(base, args);
	if (code !== undefined) return { why: code };
	if (base === 'git') return judgeGitPart(args, agentName);
	if (base === 'xxd') return judgeXxd(args);
	const special = SPECIAL_WRITERS.get(base);
	if (special !== undefined) return special(args);
	const rule = FILE_RULES.get(base);
	const ruled = rule === undefined ? { paths: [] } : applyRule(base, rule, args);
	if ('why' in ruled || ONLY_READS.has(base) || (rule !== undefined && !rule.leads)) return ruled;
	return { paths: [...ruled.paths, ...args.flatMap(leadingOut)] };
}

function judgeXxd(args: readonly GuardWord[]): Finding {
	const operands = xxdOperands(args);
	return operands === undefined ? { why: 'what xxd is to do cannot be told: write it out' } : { paths: operands.slice(1) };
}

function judgeGitPart(args: readonly GuardWord[], agentName: string): Finding {
	const found = judgeGit(args, agentName);
	if ('why' in found) return found;
	for (const word of found.lines) {
		const text = fixedValue(word);
		const inner =
			text === undefined ? { why: 'what git runs is put together when it runs' } : judgeWriting(walkLine(text), agentName);
		if ('why' in inner) return inner;
		if (inner.paths.length > 1) return { why: 'commands that git runs may not change files: run them yourself' };
	}
	return { paths: found.paths };
}

function publishing(base: string, args: readonly GuardWord[]): string | undefined {
	const read = readArguments(args, names());
	const [first = '', second = ''] = read.operands.map((word) => fixedValue(word) ?? '');
	const subs = PUBLISHING.get(base);
	if (subs?.has(first) || subs?.has(`${first}_${second}`)) return `${base} ${first} reaches beyond your worktree`;
	const isGlobal =
		GLOBAL_INSTALLERS.has(base) && (first === 'global' || findFlag(read, ['-g', '--global', '--location']) !== undefined);
	return isGlobal ? 'it installs for everybody on this machine' : undefined;
}

const GLOBAL_INSTALLERS = names('npm pnpm yarn bun');

/** Code in the line itself, or from its input, cannot be judged. */
function inlineCode(base: string, args: readonly GuardWord[]): string | undefined {
	const flags = INTERPRETERS.get(base) ?? INTERPRETERS.get(base.replace(/[\d.]+$/, ''));
	if (flags === undefined) return undefined;
	const how = `write the program to a file in your worktree and run: ${base} <file>`;
	const read = readArguments(
		args,
		names('-r --require --import -C --conditions --env-file --loader -W -X -I -m --test-reporter --test-name-pattern'),
		true,
	);
	const first = fixedValue(read.operands[0]);
	if (args.some((word) => word.forms.some(({ value }) => /^(?:--\w+=)?data:/.test(value))))
		return `code in a command line cannot be judged: ${how}`;
	if (read.unsure) return `${read.unsure.text} hides what ${base} runs: write it out`;
	if (findFlag(read, flags) || (first !== undefined && flags.has(first)))
		return `code in a command line cannot be judged: ${how}`;
	const asked = read.flags.some((flag) => INTERPRETER_MODES.has(flag.name));
	if ((read.operands.length === 0 && !asked) || first === '-') return `${base} would read its program from its input: ${how}`;
	return undefined;
}

function applyRule(base: string, rule: FileRule, args: readonly GuardWord[]): Finding {
	const takes = new Set([...(rule.takes ?? []), ...(rule.into ?? [])]);
	const read = readArguments(args, takes, rule.operands === 'first');
	const bad = findFlag(read, rule.refuse ?? []);
	if (bad !== undefined) return { why: `${base} ${bad.name} may run something or lead elsewhere` };
	if (base === 'rsync' && read.operands.some(({ text }) => /^[\w.@-]+:/.test(text))) return { why: 'it reaches other machines' };
	const into = valuesOf(read, rule.into ?? names());
	const idle = findFlag(read, rule.notWith ?? []) !== undefined;
	return {
		paths: idle
			? into
			: [...into, ...changed(rule, read.operands, into.length > 0, findFlag(read, rule.allWith ?? []) !== undefined)],
	};
}

function changed(rule: FileRule, operands: readonly GuardWord[], hasTarget: boolean, all: boolean): readonly GuardWord[] {
	if (all) return operands;
	switch (rule.operands) {
		case 'all':
			return operands;
		case 'first':
			return operands.slice(0, 1);
		case 'last':
			return hasTarget ? [] : operands.length > 1 ? operands.slice(-1) : [];
		case 'after first':
			return operands.slice(1);
		case 'none':
			return [];
	}
}

/** Words of a program that is not known, which lead out of the folder it runs in, if they are paths. */
function leadingOut(word: GuardWord): readonly GuardWord[] {
	if (OUTSIDE_VARIABLE.test(word.text)) return [{ text: word.text, forms: [{ value: '~', sure: 'open' }] }];
	const forms = word.forms.map(pathIn).filter((form) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(form.value));
	return forms.length > 0 ? [{ text: word.text, forms }] : [];
}

const OUTSIDE_VARIABLE = /^(?:--?[\w-]+=)?"?\$\{?(?:HOME|OLDPWD|TMPDIR|XDG_\w+)\b/;

function pathIn(form: Form): Form {
	return { ...form, value: form.value.replace(/^-{0,2}[\w.-]+=/, '') };
}

function boundPaths(part: Part, words: readonly GuardWord[]): Writing {
	const dirs = part.dirs.length > 0 ? part.dirs : [{ value: '', sure: 'fixed' } as const];
	if (dirs.some(({ sure }) => sure === 'open'))
		return { why: 'it changes to a folder that cannot be told: write cd <folder in your worktree> && …' };
	const paths: BoundPath[] = dirs.flatMap(({ value, sure }) => (value === '' ? [] : [{ path: value, glob: sure === 'glob' }]));
	for (const word of words) {
		for (const form of word.forms) {
			if (HARMLESS_FILE.test(form.value) && form.sure === 'fixed') continue;
			if (form.sure === 'open' || form.sure === 'job' || form.value === '')
				return { why: `which path ${word.text} is cannot be told: write it out` };
			paths.push(...dirs.map((dir) => below(dir, form)).map(({ value, sure }) => ({ path: value, glob: sure === 'glob' })));
		}
	}
	return { paths };
}

const HARMLESS_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty)$/;
