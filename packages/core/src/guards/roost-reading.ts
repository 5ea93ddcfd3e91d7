// The roost commands that agents may run: only those that read.
import { names, readArguments } from '../shell/flags.ts';
import { fixedValue, type GuardWord } from '../shell/guard-word.ts';

type Asked = {
	/** Options that only change what is shown. */
	flags?: string;
	/** Those of them with a value. */
	takes?: string;
	operands: number;
};

/** Where a command has others below it, they are named with it. */
const ASKED: ReadonlyMap<string, Asked> = new Map([
	['status', { operands: 0 }],
	['sessions', { flags: '--all --archived', operands: 0 }],
	['sessions list', { flags: '--all --archived', operands: 0 }],
	['sessions show', { operands: 1 }],
	['feed', { flags: '--after --kind --follow --verbose', takes: '--after --kind', operands: 1 }],
	['search', { flags: '--limit', takes: '--limit', operands: Number.POSITIVE_INFINITY }],
	['usage', { flags: '--by --since --until', takes: '--by --since --until', operands: 0 }],
	['agents', { flags: '--matrix', operands: 0 }],
]);

/** Why it is not for agents; undefined where it only reads. */
export function whyNotRoost(args: readonly GuardWord[]): string | undefined {
	const words = args.map(fixedValue);
	if (words.includes(undefined)) return 'an argument of roost is put together when it runs';
	const [first = '', second = ''] = words;
	const two = ASKED.get(`${first} ${second}`);
	const asked = two ?? ASKED.get(first);
	if (asked === undefined) return `roost ${first} is not for agents; there are ${[...ASKED.keys()].join(', ')}`;
	const read = readArguments(args.slice(two === undefined ? 1 : 2), names(asked.takes));
	const fits =
		read.operands.length <= asked.operands && read.flags.every(({ name }) => name === '--json' || names(asked.flags).has(name));
	return fits ? undefined : `roost ${first} in this form is not for agents: ask it only to show something`;
}
