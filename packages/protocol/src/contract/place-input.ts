// Where the parts of an input go: what the path names, what the query names, and the rest in the body.
import type { Operation } from './operation.ts';

export type Parts = Readonly<Record<string, unknown>>;
export type PlacedInput = { readonly params: Parts; readonly query: Parts; readonly body: Parts };

export function placeInput({ params, query }: Operation, input: Parts): PlacedInput {
	const placeOf = (name: string) =>
		Object.hasOwn(params.shape, name) ? 'params' : Object.hasOwn(query.shape, name) ? 'query' : 'body';
	const partsAt = (place: string) => Object.fromEntries(Object.entries(input).filter(([name]) => placeOf(name) === place));
	return { params: partsAt('params'), query: partsAt('query'), body: partsAt('body') };
}
