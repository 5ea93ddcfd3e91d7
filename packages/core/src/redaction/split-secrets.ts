// Secrets that are split between two strings of one value: the end of one and the start of the next are searched together.
import { endOfRun, WORD } from './alphabets.ts';
import { findSecrets } from './find-secrets.ts';
import type { Span } from './spans.ts';

/** The searched length on either side of a border. */
const REACH = 600;
/** Only a string that ends inside a word, right after the prefix of a token, can continue in the next string. */
const BEGUN =
	/(?:^|[^A-Za-z0-9_-])(?:sk-|sk_|rk_|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|A[KSBC][ICB]A|AIza|ya29\.|GOCSPX|xox|xapp-|npm_|pypi-|hf_|eyJ|SG\.|dckr_|hv[sbr]\.|shp|lin_|dop_|AGE-)[^\s"']{0,500}$/;

type Leaf = { text: string; isKey: boolean };

/** New spans for the texts on both sides of each border that a secret crosses. */
export function spansOverBorders(leaves: readonly Leaf[]): Map<number, Span[]> {
	const changed = new Map<number, Span[]>();
	let before = -1;
	for (let at = 0; at < leaves.length; at++) {
		const leaf = leaves[at];
		if (leaf === undefined || leaf.isKey || leaf.text === '') continue;
		const over = before < 0 ? undefined : overBorder(leaves[before]?.text ?? '', leaf.text);
		if (over) {
			const { left, right } = over;
			const earlier = changed.get(before) ?? findSecrets(leaves[before]?.text ?? '');
			changed.set(before, [...earlier.filter((span) => span.end <= left.start), left]);
			changed.set(at, [right, ...findSecrets(leaf.text).filter((span) => span.start >= right.end)]);
		}
		before = at;
	}
	return changed;
}

function lastWord(text: string): string {
	let start = text.length;
	while (start > 0 && text.length - start < REACH && text.charCodeAt(start - 1) > 0x20) start--;
	return text.slice(start);
}

function overBorder(left: string, right: string): { left: Span; right: Span } | undefined {
	if (!BEGUN.test(lastWord(left))) return undefined;
	const tail = left.slice(-REACH);
	const head = right.slice(0, REACH);
	const over = findSecrets(tail + head).find(({ start, end }) => start < tail.length && end > tail.length);
	if (!over || (isWhole(tail) && !looksCut(head))) return undefined;
	const end = over.end === tail.length + head.length ? endOfRun(right, head.length, WORD) : over.end - tail.length;
	const start = left.length - tail.length + over.start;
	return { left: { kind: over.kind, start, end: left.length }, right: { kind: over.kind, start: 0, end } };
}

/** The word at the end is a complete secret, not only the start of one. */
function isWhole(tail: string): boolean {
	return findSecrets(`${tail} `).some(({ end }) => end === tail.length);
}

/** It starts inside random text, and not with a complete secret. */
function looksCut(head: string): boolean {
	const run = head.slice(0, endOfRun(head, 0, WORD));
	return run.length >= 6 && /\d/.test(run) && /[A-Za-z]/.test(run) && !findSecrets(head).some(({ start }) => start === 0);
}
