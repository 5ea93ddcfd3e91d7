// The words of xxd, whose options are whole words: `-ps` is one of them, and not `-p` with `-s` behind it.
import { fixedValue, type GuardWord, mayBeFlag } from '../shell/guard-word.ts';

const PLAIN = /^-(?:a|b|e|E|i|p|ps|u|C|d)$/;
const WITH_VALUE = /^-[cglos](\d+)?$/;

/** The file it reads and, where there is a second one, the file it writes; undefined where that cannot be told. */
export function xxdOperands(args: readonly GuardWord[]): readonly GuardWord[] | undefined {
	for (const [at, word] of args.entries()) {
		const value = fixedValue(word) ?? '';
		const before = WITH_VALUE.exec(fixedValue(args[at - 1]) ?? '');
		if (before !== null && before[1] === undefined && /^[-+]?(?:0x)?[\da-f]+$/.test(value)) continue;
		if (PLAIN.test(value) || WITH_VALUE.test(value)) continue;
		const operands = args.slice(at);
		return operands.some((each) => mayBeFlag(each) || each.many || /^-./.test(fixedValue(each) ?? '')) ? undefined : operands;
	}
	return [];
}
