// The result of a search in words.
import { plural } from '../display/plural.ts';

export function foundWords({ hits, unsearched }: { hits: readonly unknown[]; unsearched: number }): string {
	const what = hits.length === 0 ? 'Nothing was found.' : `${plural(hits.length, 'hit')}, the newest first.`;
	return unsearched === 0 ? what : `${what} ${plural(unsearched, 'new event')} not searched yet; retry in a moment.`;
}
