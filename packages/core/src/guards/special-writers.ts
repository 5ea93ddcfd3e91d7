// Commands whose arguments follow rules of their own: which files they change.
import { onlyEdits, onlyPrints } from '../commands/scripts.ts';
import { findFlag, names, readArguments, valuesOf } from '../shell/flags.ts';
import { type Form, fixedValue, fixedWord, type GuardWord, mayBeFlag } from '../shell/guard-word.ts';
import { findDeletes, findRoots, findWrites, followsLinks, withoutExec } from './find-actions.ts';
import type { Finding } from './judge-writing.ts';

type Judge = (args: readonly GuardWord[]) => Finding;

export const SPECIAL_WRITERS: ReadonlyMap<string, Judge> = new Map<string, Judge>([
	['sed', judgeSed],
	['gsed', judgeSed],
	['awk', judgeAwk],
	['gawk', judgeAwk],
	['mawk', judgeAwk],
	['dd', judgeDd],
	['tar', judgeTar],
	['gtar', judgeTar],
	['bsdtar', judgeTar],
	['find', judgeFind],
	['kill', judgeKill],
	['ln', judgeLn],
	['xxd', judgeXxd],
]);

const NOTHING: Finding = { paths: [] };

function judgeSed(args: readonly GuardWord[]): Finding {
	const read = readArguments(args, names('-e --expression -l --line-length -f --file'));
	if (findFlag(read, ['-f', '--file'])) return { why: 'a sed script in a file cannot be judged: write it with -e' };
	if (read.unsure) return unsureOption('sed', read.unsure);
	if (args.some((word) => /^(?:-[nErsuz]*i|--in-p\w*[-\w]*=).*\//.test(fixedValue(word) ?? '')))
		return { why: 'sed would put a copy into another folder: leave the folder out behind -i' };
	const operands = read.operands.filter((word) => fixedValue(word) !== '');
	const given = valuesOf(read, names('-e --expression'));
	const scripts = given.length > 0 ? given : operands.slice(0, 1);
	if (!scripts.every((script) => onlyEdits(fixedValue(script) ?? 'w')))
		return { why: 'this sed script may write files or run commands; use plain s/…/…/, d, p, a, i, c without variables' };
	if (findFlag(read, ['-i', '--in-place']) === undefined) return NOTHING;
	const paths = given.length > 0 ? operands : operands.slice(1);
	// It replaces a link by a new file, unless an option makes it follow the link.
	return { paths, ...(findFlag(read, ['--follow-symlinks']) === undefined && { replaces: true }) };
}

export function unsureOption(name: string, { text, forms }: GuardWord): { why: string } {
	const how = forms.every(({ sure }) => sure === 'glob' || sure === 'fixed')
		? `write ./${text}`
		: 'write it out, or begin it with ./';
	return { why: `${text} may turn out to be an option of ${name}: ${how}` };
}

function judgeAwk(args: readonly GuardWord[]): Finding {
	const read = readArguments(args, names('-F --field-separator -v --assign'), true);
	if (read.unsure || read.flags.some(({ name }) => !['-F', '-v', '--field-separator', '--assign'].includes(name)))
		return { why: 'this form of awk may write files or run commands' };
	return onlyPrints(fixedValue(read.operands[0]) ?? '|', true)
		? NOTHING
		: { why: 'this awk program may write files or run commands' };
}

function judgeDd(args: readonly GuardWord[]): Finding {
	return {
		paths: args.flatMap((word) => (word.forms.some(({ value }) => !/^(?!of=)\w+=/.test(value)) ? [withoutName(word)] : [])),
	};
}

function withoutName(word: GuardWord): GuardWord {
	return { text: word.text, forms: word.forms.map((form): Form => ({ ...form, value: form.value.replace(/^of=/, '') })) };
}

const TAR_FILES = names('-f --file -g --listed-incremental');
const TAR_FOLDERS = names('-C --directory');
const TAR_TAKES = names(
	'-f --file -C --directory -g --listed-incremental -T --files-from -X --exclude-from --exclude --strip-components --owner --group --mode --mtime -b',
);
/** Other options run something, write elsewhere, or remove the packed files. */
const TAR_FLAGS = new Set([
	...TAR_TAKES,
	...names(
		'-c -x -t -r -u -v -z -j -J -p -k -m -h -O -a -l -n --create --extract --get --list --append --update --verbose --gzip --bzip2 --xz --zstd',
	),
	...names('--keep-old-files --overwrite --no-same-owner --no-same-permissions --preserve-permissions --dereference --to-stdout'),
	...names(
		'--wildcards --exclude-vcs --auto-compress --sort --numeric-owner --touch --totals --version --help --warning --skip-old-files',
	),
]);

function judgeTar(args: readonly GuardWord[]): Finding {
	const words = tarWords(args);
	if (words === undefined) return { why: 'what tar does is unclear: write it out' };
	const read = readArguments(words, TAR_TAKES);
	if (read.unsure) return unsureOption('tar', read.unsure);
	const bad = read.flags.find((flag) => !TAR_FLAGS.has(flag.name));
	if (bad !== undefined) return { why: `tar ${bad.name} may run something or write outside` };
	const lists = findFlag(read, ['-t', '--list']) !== undefined;
	const extracts = findFlag(read, ['-x', '--extract', '--get']) !== undefined;
	const snapshots = valuesOf(read, names('-g --listed-incremental'));
	const files = lists || extracts ? snapshots : valuesOf(read, TAR_FILES).filter((word) => fixedValue(word) !== '-');
	return { paths: [...files, ...(extracts ? valuesOf(read, TAR_FOLDERS) : [])], ...(extracts && { links: true }) };
}

/** Letters without a dash take their values from the words behind them, one after the other. */
function tarWords([first, ...rest]: readonly GuardWord[]): GuardWord[] | undefined {
	const letters = fixedValue(first);
	if (first === undefined || letters === undefined) return undefined;
	if (letters.startsWith('-')) return [first, ...rest];
	const values = [...rest];
	const flags = [...letters].flatMap((letter) => {
		const value = TAR_TAKES.has(`-${letter}`) ? values.shift() : undefined;
		return [fixedWord(`-${letter}`), ...(value === undefined ? [] : [value])];
	});
	return [...flags, ...values];
}

function judgeFind(args: readonly GuardWord[]): Finding {
	const open = withoutExec(args).find((word) => fixedValue(word) === undefined && mayBeFlag(word));
	if (open !== undefined) return { why: `${open.text} may turn out to be an action of find: quote it or write it out` };
	const changes = findDeletes(args) || args.some((word) => /^-(?:exec|ok)/.test(fixedValue(word) ?? ''));
	if (changes && followsLinks(args)) return { why: 'find follows links and changes what it finds: leave -L out' };
	return { paths: [...(findDeletes(args) ? findRoots(args) : []), ...findWrites(args)] };
}

/** Only processes that the line itself started, or jobs of this shell. */
function judgeKill(args: readonly GuardWord[]): Finding {
	const signals = args.filter((word) => /^-/.test(fixedValue(word) ?? '') && fixedValue(word) !== '--');
	const others = args.filter((word) => !signals.includes(word) && fixedValue(word) !== '--');
	const targets = ['-s', '-n'].includes(fixedValue(signals[0]) ?? '') ? others.slice(1) : others;
	const mine = targets.every((word) => /^%/.test(fixedValue(word) ?? '') || word.forms.every(({ sure }) => sure === 'job'));
	return mine && signals.length <= 1 ? NOTHING : { why: 'kill may only end what you started here: kill %1 or kill $!' };
}

/** The target of a symbolic link is only text; a hard link is another name of a file, through which it can be changed. */
function judgeLn(args: readonly GuardWord[]): Finding {
	const read = readArguments(args, names('-S --suffix -t --target-directory'));
	if (read.unsure) return unsureOption('ln', read.unsure);
	const into = valuesOf(read, names('-t --target-directory'));
	const many = read.operands.length > 1 || read.operands.some((word) => word.many);
	if (findFlag(read, ['-s', '--symbolic']) === undefined) return { paths: [...into, ...read.operands], links: true };
	return { paths: into.length > 0 ? into : many ? read.operands.slice(-1) : [], links: true };
}

function judgeXxd(args: readonly GuardWord[]): Finding {
	const operands = xxdOperands(args);
	return operands === undefined ? { why: 'what xxd does is unclear: write it out' } : { paths: operands.slice(1) };
}

/** Options of xxd are whole words: `-ps` is one of them, and not `-p` with `-s` behind it. */
const XXD_PLAIN = /^-(?:a|b|e|E|i|p|ps|u|C|d)$/;
const XXD_VALUED = /^-[cglos](\d+)?$/;

/** The file it reads and, if there is a second one, the file it writes; undefined where that is unclear. */
export function xxdOperands(args: readonly GuardWord[]): readonly GuardWord[] | undefined {
	for (const [at, word] of args.entries()) {
		const value = fixedValue(word) ?? '';
		const before = XXD_VALUED.exec(fixedValue(args[at - 1]) ?? '');
		if (before !== null && before[1] === undefined && /^[-+]?(?:0x)?[\da-f]+$/.test(value)) continue;
		if (XXD_PLAIN.test(value) || XXD_VALUED.test(value)) continue;
		const operands = args.slice(at);
		return operands.some((each) => mayBeFlag(each) || each.many || /^-./.test(fixedValue(each) ?? '')) ? undefined : operands;
	}
	return [];
}
