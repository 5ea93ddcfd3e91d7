// How commands access the files among their words: which they change, and which commands reach everything below a folder.
import { names } from '../shell/flags.ts';
import { baseName } from '../shell/wrappers.ts';
import type { Deep } from './path-use.ts';

/** Programs that run text as code, or take file names from it. */
export const EXECUTORS = names(
	'sh bash dash zsh ksh mksh ash fish csh tcsh eval source . xargs parallel ssh python python2 python3 node nodejs deno bun tsx perl ruby php lua tclsh expect osascript awk gawk mawk nawk sed ed ex vi vim nvim sqlite3 gdb env sudo doas su busybox watch make find fd fdfind script unshare nsenter chroot pwsh R Rscript julia swift java jshell psql emacs git-shell',
);

/** Of these, the first operand is a pattern and no file. */
export const SEARCHERS = names('grep egrep fgrep rgrep rg ag ack ugrep');

/** They print words, or keep them as a message. */
export const PRINTERS = names('echo printf logger say notify-send grep egrep fgrep rgrep rg ag ack ugrep');

/** Options after which a message follows, for those that take one. */
export const TAKE_MESSAGES = names('git gh glab hub vitest jest mocha pytest npx npm');
export const MESSAGE_OPTIONS = names(
	'-m -am --message --body -b --title -t --grep --notes --subject --description -S -G -k --testNamePattern',
);

const ALWAYS_DEEP = names('zip 7z 7za 7zz cpio pax rsync mv ln mount bindfs rgrep ugrep duplicity restic borg rclone');
/** They go through a folder only where they make an archive. */
const ARCHIVERS = names('tar bsdtar gtar');
const DEEP_BY_FLAG = names('cp rm chmod chown chgrp grep egrep fgrep diff scp setfacl chattr');
const SKIP_HIDDEN = names('rg ag ack');
const CHANGES_ALL = names(
	'rm rmdir unlink shred truncate touch chmod chown chgrp chattr setfacl tee mkdir mkfifo mknod patch ed ex vi vim nvim nano emacs rename mv',
);
const CHANGES_LAST = names('cp install ln rsync scp ditto');

/** Undefined where only the named file itself is used. `args` are its words without quotes. */
export function deepAccess(name: string, args: readonly string[]): Deep | undefined {
	if (name === 'find') return findAccess(args);
	if (SKIP_HIDDEN.has(name))
		return { hidden: args.some((arg) => /^--hidden$|^-[A-Za-z]*[u.][A-Za-z]*$|^--unrestricted$/.test(arg)) };
	if (name === 'fd' || name === 'fdfind') return args.some((arg) => /^(?:--exec.*|-[A-Za-z]*[xX].*)$/.test(arg)) ? {} : undefined;
	if (ARCHIVERS.has(name)) return args.some(makesArchive) ? {} : undefined;
	if (ALWAYS_DEEP.has(name)) return {};
	return DEEP_BY_FLAG.has(name) && args.some(isRecursive) ? {} : undefined;
}

function makesArchive(arg: string, at: number): boolean {
	return (
		/^--(?:create|append|update)$/.test(arg) ||
		(/^-?[A-Za-z]+$/.test(arg) && (at === 0 || arg.startsWith('-')) && /[cru]/.test(arg))
	);
}

function isRecursive(arg: string): boolean {
	return /^-[A-Za-z]*[rRa]/.test(arg) || /^--(?:recursive|dereference-recursive|archive)$/.test(arg);
}

/** Only where it runs or deletes something; names that it looks for narrow it. */
function findAccess(args: readonly string[]): Deep | undefined {
	if (!args.some((arg) => /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls|files0-from)$/.test(arg))) return undefined;
	const wanted = args.flatMap((arg, at) => (/^-i?name$/.test(args[at - 1] ?? '') ? [arg] : []));
	return wanted.length > 0 ? { names: wanted } : {};
}

/** Which of the words are files that the command changes; all of them where it is not clear. */
export function changedArguments(name: string, args: readonly string[]): (at: number) => boolean {
	const operands = args.flatMap((arg, at) => (arg.startsWith('-') ? [] : [at]));
	const after = (at: number, option: RegExp) =>
		option.test(args[at - 1] ?? '') || option.test(args[at]?.replace(/[=/~.].*$/s, '') ?? '');
	if (CHANGES_ALL.has(name)) return () => true;
	if (CHANGES_LAST.has(name)) return (at) => at === operands.at(-1) || after(at, /^(?:-t|--target-directory)$/);
	if (name === 'dd') return (at) => args[at]?.startsWith('of=') === true;
	if ((name === 'sed' || name === 'perl' || name === 'ruby') && args.some((arg) => /^-[A-Za-z]*i|^--in-place/.test(arg)))
		return () => true;
	if (name === 'find') return () => findChanges(args);
	if (name === 'tar' || name === 'unzip' || name === '7z')
		return (at) => after(at, /^(?:-C|--directory|-d|-f|--file|-[A-Za-z]*c[A-Za-z]*f)$/);
	return (at) => after(at, /^(?:-o|-O|--output|--output-document|--out|--outfile|--outDir|-P|--prefix)$/);
}

function findChanges(args: readonly string[]): boolean {
	const run = args.filter((_, at) => /^-(?:exec|execdir|ok|okdir)$/.test(args[at - 1] ?? '')).map(baseName);
	const writes = args.some((arg) => /^-(?:delete|fprint.*|fls)$/.test(arg));
	return writes || run.some((name) => CHANGES_ALL.has(name) || CHANGES_LAST.has(name) || EXECUTORS.has(name));
}

/** Commands that change the folder they run in, or the one of `-C`. */
export function changesFolder(name: string, args: readonly string[]): boolean {
	const words = args.filter((arg) => !arg.startsWith('-'));
	if (name === 'git') return words.some((word) => GIT_CHANGES.has(word));
	return PACKAGERS.has(name) && words.some((word) => PACKAGE_CHANGES.has(word));
}

const GIT_CHANGES = names('checkout switch reset restore clean pull merge rebase apply am stash cherry-pick revert mv rm');
const PACKAGERS = names('npm pnpm yarn bun');
const PACKAGE_CHANGES = names('install i ci add update upgrade uninstall remove rm link dedupe prune rebuild');
/** Code that writes files, in the languages that agents use. */
export const CODE_WRITES =
	/write|append|unlink|remove|rmdir|rmtree|rename|copy|truncate|chmod|mkdir|symlink|open\([^)]*['"][wax]/i;
