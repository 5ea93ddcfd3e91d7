// Sets of characters, and how far a text stays inside one: plain loops, so that no length can exhaust a stack.

export type Alphabet = Uint8Array;

export function alphabet(characters: RegExp): Alphabet {
	return Uint8Array.from({ length: 128 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0));
}

export const WORD = alphabet(/[A-Za-z0-9_-]/);

export function isIn(set: Alphabet, code: number): boolean {
	return code < 128 && set[code] === 1;
}

export function endOfRun(text: string, at: number, set: Alphabet, most = Number.POSITIVE_INFINITY): number {
	const limit = Math.min(text.length, at + most);
	let end = at;
	while (end < limit && isIn(set, text.charCodeAt(end))) end++;
	return end;
}

/** The same for one text, whose characters are each walked once: a position inside a known run gets its end at once. */
export function createRunEnds(text: string): (at: number, set: Alphabet) => number {
	// Most texts are searched for one set only, and there are many short ones.
	let first: Run | undefined;
	let others: Map<Alphabet, Run> | undefined;
	return (at, set) => {
		const last = first === undefined || first.set === set ? first : others?.get(set);
		if (last && at >= last.start && at < last.end) return last.end;
		const run = { set, start: at, end: endOfRun(text, at, set) };
		if (first === undefined || first.set === set) first = run;
		else {
			others ??= new Map();
			others.set(set, run);
		}
		return run.end;
	};
}

type Run = { set: Alphabet; start: number; end: number };
