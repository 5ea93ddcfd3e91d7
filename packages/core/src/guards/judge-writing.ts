// The verdict on a shell line of an agent that writes in its worktree: what it may not do, and the paths that must lie inside.

import { inlineCode } from '../commands/inline-code.ts';
import { findFlag, names, readArguments, valuesOf } from '../shell/flags.ts';
import { type Form, fixedValue, type GuardWord } from '../shell/guard-word.ts';
import { baseName } from '../shell/wrappers.ts';
import { below, isPath, START } from './dirs.ts';
import { judgeGit } from './git-writing.ts';
import { type Change, changesTree, isHarmlessFile, REMOVERS, whyNotAfterLinks } from './made-links.ts';
import { whyNotRoost } from './roost-reading.ts';
import { whyNotSetting } from './settings.ts';
import { SPECIAL_WRITERS, unsureOption } from './special-writers.ts';
import { type Part, type WalkedLine, walkLine } from './walk-line.ts';
import { FILE_RULES, type FileRule, NEVER, ONLY_READS, PUBLISHING } from './writing-table.ts';
import { xxdOperands } from './xxd-words.ts';

/** A path that must lie in the worktree, seen from where the line starts; a pattern of names where `glob` is set. */
export type BoundPath = { path: string; glob: boolean };

export type Writing = { why: string } | { paths: readonly BoundPath[] };

/** What a command changes, or why it may not run. Paths are words, seen from where it runs. */
export type Finding =
	| { why: string }
	| {
			paths: readonly GuardWord[];
			/** A link in the place of a path goes, and is not followed. */
			replaces?: boolean;
			/** What it makes may be a link. */
			links?: boolean;
	  };

export function judgeWriting(line: WalkedLine, agentName: string): Writing {
	if (line.hidden !== undefined) return { why: `${line.hidden}. Write it as separate plain commands` };
	const paths: BoundPath[] = [{ path: '.', glob: false }];
	const changes: Change[] = [];
	for (const part of line.parts) {
		const found = judgePart(part, agentName);
		if ('why' in found) return found;
		changes.push({ part, writes: part.writes, ...found });
	}
	for (const change of changes) {
		const why = whyNotAfterLinks(change, changes);
		if (why !== undefined) return { why };
		const bound = boundPaths(change);
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
	if (code !== undefined) return { why: code.why };
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
	return { paths: found.paths, links: changesTree(args) };
}

function publishing(base: string, args: readonly GuardWord[]): string | undefined {
	const read = readArguments(args, names());
	const subs = PUBLISHING.get(base);
	// Which of the options before it take a value differs, so that what it is to do may stand behind as many words.
	const before = Math.max(
		0,
		args.findIndex((word) => !fixedValue(word)?.startsWith('-')),
	);
	const leading = read.operands.slice(0, before + 1).map(fixedValue);
	const [first = '', second = ''] = read.operands.map((word) => fixedValue(word) ?? '');
	const isPair = [...(subs ?? [])].some((sub) => sub.startsWith(`${first}_`));
	if (subs !== undefined && (leading.includes(undefined) || (isPair && read.operands.length > 1 && second === '')))
		return 'what it is to do cannot be told: write it out';
	if (leading.some((word) => subs?.has(word ?? '')) || subs?.has(`${first}_${second}`))
		return `${base} ${leading.join(' ')} reaches beyond your worktree`;
	const isGlobal =
		GLOBAL_INSTALLERS.has(base) && (first === 'global' || findFlag(read, ['-g', '--global', '--location']) !== undefined);
	return isGlobal ? 'it installs for everybody on this machine' : undefined;
}

const GLOBAL_INSTALLERS = names('npm pnpm yarn bun');

const WRITE_OUT = names('-w --write-out');

/** `%output{file}` leads elsewhere, and so does a format that lies in a file. */
function mayWriteOut({ forms }: GuardWord): boolean {
	return forms.some(({ value, sure }) => sure !== 'fixed' || value.startsWith('@') || value.includes('%output{'));
}

function applyRule(base: string, rule: FileRule, args: readonly GuardWord[]): Finding {
	const takes = new Set([...(rule.takes ?? []), ...(rule.into ?? [])]);
	const read = readArguments(args, takes, rule.operands === 'first');
	const bad = findFlag(read, rule.refuse ?? []);
	if (bad !== undefined) return { why: `${base} ${bad.name} may run something or lead elsewhere` };
	if (base === 'curl' && valuesOf(read, WRITE_OUT).some(mayWriteOut))
		return { why: 'what curl prints at the end may go into a file' };
	if (base === 'rsync' && read.operands.some(({ text }) => /^[\w.@-]+:/.test(text))) return { why: 'it reaches other machines' };
	// Where all operands are bound, an option among them changes nothing else.
	if (read.unsure && (rule.operands !== 'all' || rule.into || rule.refuse)) return unsureOption(base, read.unsure);
	const into = valuesOf(read, rule.into ?? names());
	if (findFlag(read, rule.notWith ?? []) !== undefined) return { paths: into };
	const all = findFlag(read, rule.allWith ?? []) !== undefined;
	const links = rule.links === true || findFlag(read, rule.links ?? []) !== undefined;
	return { paths: [...into, ...changed(rule, read.operands, into.length > 0, all)], replaces: REMOVERS.has(base), links };
}

function changed(rule: FileRule, operands: readonly GuardWord[], hasTarget: boolean, all: boolean): readonly GuardWord[] {
	if (all) return operands;
	switch (rule.operands) {
		case 'all':
			return operands;
		case 'first':
			return operands.slice(0, 1);
		case 'last':
			return !hasTarget && (operands.length > 1 || operands.some((word) => word.many)) ? operands.slice(-1) : [];
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

function boundPaths({ part, writes, paths: words, replaces }: Change): Writing {
	const dirs = part.dirs.length > 0 ? part.dirs : START;
	if (dirs.some(({ sure }) => sure === 'open'))
		return { why: 'it changes to a folder that cannot be told: write cd <folder in your worktree> && …' };
	const paths: BoundPath[] = dirs.flatMap(({ value, sure }) => (value === '' ? [] : [{ path: value, glob: sure === 'glob' }]));
	for (const word of [...writes, ...words]) {
		for (const form of word.forms) {
			if (isHarmlessFile(form)) continue;
			if (!isPath(form) || form.value === '') return { why: `which path ${word.text} is cannot be told: write it out` };
			if (form.sure === 'found' && !replaces)
				return { why: 'what find finds may be a link that leads elsewhere: add -type f, before what it runs' };
			paths.push(...dirs.map((dir) => below(dir, form)).map(({ value, sure }) => ({ path: value, glob: sure === 'glob' })));
		}
	}
	return { paths };
}
