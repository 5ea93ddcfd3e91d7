// The request that the address names with `?ask=ID`: it opens over any page, and Back closes it.
import { type AskId, askId } from '@roost/protocol/ids';
import { useSearch } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';

export type AskAddress = {
	readonly id: AskId | undefined;
	/** `isNext`: in place of the open one. */
	open(id: AskId, isNext?: boolean): void;
	close(): void;
};

/** In the state of a history entry: the entry before it is the same page without a request. */
const OPENED_HERE = 'ask opened here';

export function useAskAddress(): AskAddress {
	const search = useSearch();
	const isOpenedHere = useHistoryState() === OPENED_HERE;
	return {
		id: askId.safeParse(new URLSearchParams(search).get('ask')).data,
		open(id, isNext = false) {
			navigate(askAddress(id), isNext ? { replace: true, state: isOpenedHere ? OPENED_HERE : null } : { state: OPENED_HERE });
		},
		close() {
			if (isOpenedHere) history.back();
			else navigate(withoutAsk(), { replace: true });
		},
	};
}

/** On the current page. */
function askAddress(id: AskId): string {
	const params = new URLSearchParams(location.search);
	params.set('ask', id);
	return `${location.pathname}?${params}`;
}

function withoutAsk(): string {
	const params = new URLSearchParams(location.search);
	params.delete('ask');
	return params.size === 0 ? location.pathname : `${location.pathname}?${params}`;
}
