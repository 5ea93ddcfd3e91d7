// Commands whose arguments follow rules of their own: which files they change.
import { onlyPrints } from './awk-program.ts';
import { findDeletes, findRoots, findWrites, followsLinks } from './find-actions.ts';
import { findFlag, names, readArguments, valuesOf } from './flags.ts';
import { type Form, fixedValue, type GuardWord } from './guard-word.ts';
import type { Finding } from './judge-writing.ts';
import { onlyEdits } from './sed-script.ts';

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
]);

const NOTHING: Finding = { paths: [] };

function judgeSed(args: readonly GuardWord[]): Finding {
	const read = readArguments(args, names('-e --expression -l --line-length -f --file'));
	if (findFlag(read, ['-f', '--file'])) return { why: 'a sed script in a file cannot be judged: write it with -e' };
	const operands = read.operands.filter((word) => fixedValue(word) !== '');
	const given = valuesOf(read, names('-e --expression'));
	const scripts = given.length > 0 ? given : operands.slice(0, 1);
	if (!scripts.every((script) => onlyEdits(fixedValue(script) ?? 'w')))
		return { why: 'this sed script may write files or run commands; use plain s/…/…/, d, p, a, i, c without variables' };
	return findFlag(read, ['-i', '--in-place']) ? { paths: given.length > 0 ? operands : operands.slice(1) } : NOTHING;
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

const TAR_REFUSED = names(
	'-P --absolute-names --to-command --checkpoint-action -I --use-compress-program --info-script --new-volume-script -F --rsh-command --rmt-command --recursive-unlink',
);
const TAR_TAKES = names(
	'-f --file -C --directory -T --files-from -X --exclude-from --exclude --strip-components --transform --xform --owner --group --mode --mtime -b -g',
);

function judgeTar([first, ...rest]: readonly GuardWord[]): Finding {
	const bundled = fixedValue(first);
	if (first === undefined || bundled === undefined) return { why: 'what tar is to do cannot be told: write it out' };
	const words = bundled.startsWith('-')
		? [first, ...rest]
		: [{ text: bundled, forms: [{ value: `-${bundled}`, sure: 'fixed' as const }] }, ...rest];
	const read = readArguments(words, TAR_TAKES);
	const bad = findFlag(read, TAR_REFUSED);
	if (bad !== undefined) return { why: `tar ${bad.name} may run something or write outside` };
	const lists = findFlag(read, ['-t', '--list']) !== undefined;
	const extracts = findFlag(read, ['-x', '--extract', '--get']) !== undefined;
	const files = lists || extracts ? [] : valuesOf(read, names('-f --file')).filter((word) => fixedValue(word) !== '-');
	return { paths: [...files, ...(lists ? [] : valuesOf(read, names('-C --directory'))).filter(() => extracts)] };
}

function judgeFind(args: readonly GuardWord[]): Finding {
	const changes = findDeletes(args) || args.some((word) => /^-(?:exec|ok)/.test(fixedValue(word) ?? ''));
	if (changes && followsLinks(args)) return { why: 'find follows links and changes what it finds: leave -L out' };
	return { paths: [...(findDeletes(args) ? findRoots(args) : []), ...findWrites(args)] };
}

/** Only what the line itself started, or a job of this shell. */
function judgeKill(args: readonly GuardWord[]): Finding {
	const signals = args.filter((word) => /^-/.test(fixedValue(word) ?? '') && fixedValue(word) !== '--');
	const others = args.filter((word) => !signals.includes(word) && fixedValue(word) !== '--');
	const targets = ['-s', '-n'].includes(fixedValue(signals[0]) ?? '') ? others.slice(1) : others;
	const mine = targets.every((word) => /^%/.test(fixedValue(word) ?? '') || word.forms.every(({ sure }) => sure === 'job'));
	return mine && signals.length <= 1 ? NOTHING : { why: 'kill may only end what you started here: kill %1 or kill $!' };
}

/** What a symbolic link says is only text; a hard link makes another name for a file, through which it can be changed. */
function judgeLn(args: readonly GuardWord[]): Finding {
	const read = readArguments(args, names('-S --suffix -t --target-directory'));
	const into = valuesOf(read, names('-t --target-directory'));
	if (findFlag(read, ['-s', '--symbolic']) === undefined) return { paths: [...into, ...read.operands] };
	return { paths: into.length > 0 ? into : read.operands.length > 1 ? read.operands.slice(-1) : [] };
}
