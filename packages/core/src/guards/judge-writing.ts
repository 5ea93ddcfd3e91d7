// Judges a shell line of an agent that writes in its worktree: why it is refused, or the paths that must lie inside.

import { inlineCode } from '../commands/inline-code.ts';
import { findFlag, names, readArguments, valuesOf } from '../shell/flags.ts';
import { type Form, fixedValue, type GuardWord } from '../shell/guard-word.ts';
import { baseName } from '../shell/wrappers.ts';
import { below, isPath, START } from './dirs.ts';
import { judgeGit } from './git-writing.ts';
import { whyNotRoost } from './roost-reading.ts';
import { whyNotSetting } from './settings.ts';
import { SPECIAL_WRITERS, unsureOption } from './special-writers.ts';
import { type Part, type WalkedLine, walkLine } from './walk-line.ts';
import { FILE_RULES, type FileRule, NEVER, ONLY_READS, PUBLISHING } from './writing-table.ts';

/** A path that must lie in the worktree, relative to where the line starts; a pattern of names where `glob` is set. */
export type BoundPath = { path: string; glob: boolean };

export type Writing = { why: string } | { paths: readonly BoundPath[] };

/** What a command changes, or why it may not run. Paths are words, relative to where it runs. */
export type Finding =
	| { why: string }
	| {
			paths: readonly GuardWord[];
			/** A link at the path is removed, not followed. */
			replaces?: boolean;
			/** It may create a link. */
			links?: boolean;
	  };

export function judgeWriting(line: WalkedLine, agentName: string): Writing {
	if (line.hidden !== undefined) return { why: `${line.hidden}. Write it as separate plain commands` };
	const paths: BoundPath[] = [{ path: '.', glob: false }];
	const changes: Change[] = [];
	for (const part of line.parts) {
		const found = judgePart(part, agentName);
		if ('why' in found) return found;
		changes.push({ part, ...found });
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
	const special = SPECIAL_WRITERS.get(base);
	if (special !== undefined) return special(args);
	const rule = FILE_RULES.get(base);
	const ruled = rule === undefined ? { paths: [] } : applyRule(base, rule, args);
	if ('why' in ruled || ONLY_READS.has(base) || (rule !== undefined && !rule.leads)) return ruled;
	return { paths: [...ruled.paths, ...args.flatMap(leadingOut)] };
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
	// It is not known which options before the subcommand take a value, so it may stand behind as many words.
	const before = Math.max(
		0,
		args.findIndex((word) => !fixedValue(word)?.startsWith('-')),
	);
	const leading = read.operands.slice(0, before + 1).map(fixedValue);
	const [first = '', second = ''] = read.operands.map((word) => fixedValue(word) ?? '');
	const isPair = [...(subs ?? [])].some((sub) => sub.startsWith(`${first}_`));
	if (subs !== undefined && (leading.includes(undefined) || (isPair && read.operands.length > 1 && second === '')))
		return 'what it does is unclear: write it out';
	if (leading.some((word) => subs?.has(word ?? '')) || subs?.has(`${first}_${second}`))
		return `${base} ${leading.join(' ')} reaches beyond your worktree`;
	const isGlobal =
		GLOBAL_INSTALLERS.has(base) && (first === 'global' || findFlag(read, ['-g', '--global', '--location']) !== undefined);
	return isGlobal ? 'it installs for all users of this machine' : undefined;
}

const GLOBAL_INSTALLERS = names('npm pnpm yarn bun');

const WRITE_OUT = names('-w --write-out');

/** `%output{file}` writes to a file, and a format from a file may do so too. */
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

/** Words of an unknown program that, as paths, lead out of the folder it runs in. */
function leadingOut(word: GuardWord): readonly GuardWord[] {
	if (OUTSIDE_VARIABLE.test(word.text)) return [{ text: word.text, forms: [{ value: '~', sure: 'open' }] }];
	const forms = word.forms.map(pathIn).filter((form) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(form.value));
	return forms.length > 0 ? [{ text: word.text, forms }] : [];
}

const OUTSIDE_VARIABLE = /^(?:--?[\w-]+=)?"?\$\{?(?:HOME|OLDPWD|TMPDIR|XDG_\w+)\b/;

function pathIn(form: Form): Form {
	return { ...form, value: form.value.replace(/^-{0,2}[\w.-]+=/, '') };
}

function boundPaths({ part, paths: words, replaces }: Change): Writing {
	const dirs = part.dirs.length > 0 ? part.dirs : START;
	if (dirs.some(({ sure }) => sure === 'open'))
		return { why: 'it changes to an unclear folder: write cd <folder in your worktree> && …' };
	const paths: BoundPath[] = dirs.flatMap(({ value, sure }) => (value === '' ? [] : [{ path: value, glob: sure === 'glob' }]));
	for (const word of [...part.writes, ...words]) {
		for (const form of word.forms) {
			if (isHarmlessFile(form)) continue;
			if (!isPath(form) || form.value === '') return { why: `the path ${word.text} is unclear: write it out` };
			if (form.sure === 'found' && !replaces)
				return { why: 'what find finds may be a link that leads elsewhere: add -type f, before what it runs' };
			paths.push(...dirs.map((dir) => below(dir, form)).map(({ value, sure }) => ({ path: value, glob: sure === 'glob' })));
		}
	}
	return { paths };
}

/** What a part of the line changes. Paths are resolved before a line runs: after a part that may make a link, later paths are uncertain. */
type Change = { part: Part } & Exclude<Finding, { why: string }>;

/** They remove a link itself. */
const REMOVERS = names('rm rmdir unlink');

/** Why a part may change something elsewhere, because of a link that an earlier part creates. */
function whyNotAfterLinks(change: Change, all: readonly Change[]): string | undefined {
	const at = all.indexOf(change);
	const maker = all.findIndex((other, index) => other.links === true && mayComeFirst(index, at, change.part));
	if (maker < 0) return undefined;
	const moved = change.part.dirs.some(({ entered }) => entered > maker);
	const reached = [...change.part.writes, ...change.paths].some((word) => word.forms.some((form) => !isOwnName(form, change)));
	const made = all[maker]?.part.text ?? '';
	return moved || reached
		? `"${made}" may make a link, which makes other paths uncertain: run it in a line of its own, and only once`
		: undefined;
}

function mayComeFirst(maker: number, at: number, { unordered }: Part): boolean {
	return unordered === 'again' || (unordered === 'beside' && maker !== at) || maker < at;
}

/** A removed name in the folder where it runs: no link can lead it elsewhere. */
function isOwnName(form: Form, { part }: Change): boolean {
	if (isHarmlessFile(form)) return true;
	return (
		part.writes.length === 0 &&
		REMOVERS.has(part.name ?? '') &&
		form.sure !== 'open' &&
		/^[^/]+$/.test(form.value) &&
		!/^\.\.?$/.test(form.value)
	);
}

function isHarmlessFile({ value, sure }: Form): boolean {
	return sure === 'fixed' && /^\/dev\/(?:null|stdin|stdout|stderr|tty)$/.test(value);
}

/** Whether a git command may put files into the worktree, links among them. */
function changesTree(args: readonly GuardWord[]): boolean {
	const words = args.map((word) => fixedValue(word) ?? '');
	let at = 0;
	while (words[at]?.startsWith('-')) at += /^-[cC]$/.test(words[at] ?? '') ? 2 : 1;
	const [name = '', ...rest] = words.slice(at);
	const branches = (name === 'checkout' && rest[0] === '-b') || (name === 'switch' && rest[0] === '-c');
	return !KEEPS_FILES.has(name) && !(branches && rest.length === 2);
}

const KEEPS_FILES =
	names(`add annotate archive blame branch bundle cat-file check-attr check-ignore cherry commit config count-objects describe diff diff-files
	diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help log ls-files ls-remote ls-tree merge-base name-rev notes
	range-diff reflog remote rev-list rev-parse rm shortlog show show-branch show-ref status stripspace tag var verify-commit version whatchanged
	worktree write-tree`);
