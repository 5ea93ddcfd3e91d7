// Paths are looked at before a line runs. Where a part of it may make a link, nobody knows where later paths of the line lead.
import { names } from '../shell/flags.ts';
import { type Form, fixedValue, type GuardWord } from '../shell/guard-word.ts';
import type { Part } from './walk-line.ts';

/** What a part of the line changes. */
export type Change = {
	part: Part;
	/** Files opened by redirection. */
	writes: readonly GuardWord[];
	paths: readonly GuardWord[];
	replaces?: boolean;
	links?: boolean;
};

/** They take away a link itself. */
export const REMOVERS = names('rm rmdir unlink');

/** Why a part may change something elsewhere, because of a link that another one makes first. */
export function whyNotAfterLinks(change: Change, all: readonly Change[]): string | undefined {
	const at = all.indexOf(change);
	const maker = all.findIndex((other, index) => other.links === true && mayComeFirst(index, at, change.part));
	if (maker < 0) return undefined;
	const moved = change.part.dirs.some(({ entered }) => entered > maker);
	const reached = [...change.writes, ...change.paths].some((word) => word.forms.some((form) => !isOwnName(form, change)));
	const made = all[maker]?.part.text ?? '';
	return moved || reached
		? `"${made}" may make a link, and then nobody knows where other paths lead: run it in a line of its own, and only once`
		: undefined;
}

function mayComeFirst(maker: number, at: number, { unordered }: Part): boolean {
	return unordered === 'again' || (unordered === 'beside' && maker !== at) || maker < at;
}

/** A name in the folder where it runs, that is taken away: no link can lead it elsewhere. */
function isOwnName(form: Form, { part, writes }: Change): boolean {
	if (isHarmlessFile(form)) return true;
	return (
		writes.length === 0 &&
		REMOVERS.has(part.name ?? '') &&
		form.sure !== 'open' &&
		/^[^/]+$/.test(form.value) &&
		!/^\.\.?$/.test(form.value)
	);
}

export function isHarmlessFile({ value, sure }: Form): boolean {
	return sure === 'fixed' && /^\/dev\/(?:null|stdin|stdout|stderr|tty)$/.test(value);
}

/** Whether a git command may put files into the worktree, links among them. */
export function changesTree(args: readonly GuardWord[]): boolean {
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
