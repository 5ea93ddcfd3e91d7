// The request that the address names with `?ask=ID`, and with `of` its runner: it opens over any page, and Back closes it.
import { type AskId, askId, type RunnerId } from '@roost/protocol/ids';
import { useSearch } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';

export type AskAddress = {
	readonly id: AskId | undefined;
	/** The runner of the request; undefined where the address does not say. */
	readonly of: string | undefined;
	/** `isNext`: in place of the open one. */
	open(id: AskId, of: RunnerId | undefined, isNext?: boolean): void;
	close(): void;
};

/** In the state of a history entry: the entry before it is the same page without a request. */
const OPENED_HERE = 'ask opened here';

export function useAskAddress(): AskAddress {
	const search = new URLSearchParams(useSearch());
	const isOpenedHere = useHistoryState() === OPENED_HERE;
	return {
		id: askId.safeParse(search.get('ask')).data,
		of: search.get('of') ?? undefined,
		open(id, of, isNext = false) {
			navigate(askAddress(id, of), isNext ? { replace: true, state: isOpenedHere ? OPENED_HERE : null } : { state: OPENED_HERE });
		},
		close() {
			if (isOpenedHere) history.back();
			else navigate(withoutAsk(), { replace: true });
		},
	};
}

/** On the current page. */
function askAddress(id: AskId, of: RunnerId | undefined): string {
	const params = new URLSearchParams(location.search);
	params.set('ask', id);
	if (of !== undefined) params.set('of', of);
	return `${location.pathname}?${params}`;
}

function withoutAsk(): string {
	const params = new URLSearchParams(location.search);
	params.delete('ask');
	params.delete('of');
	return params.size === 0 ? location.pathname : `${location.pathname}?${params}`;
}
