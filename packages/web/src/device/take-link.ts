// What a link brings in the fragment of the address: the ticket of a runner or the code of a hub. It is removed from the history at once.
import type { ServerKind } from './server-kind.ts';

export type Link = { readonly ticket: string; readonly from: ServerKind };

export function takeLink(): Link | undefined {
	const given = new URLSearchParams(location.hash.slice(1));
	const [ticket, code] = [given.get('ticket'), given.get('code')];
	if (ticket === null && code === null) return undefined;
	history.replaceState(null, '', `${location.pathname}${location.search}`);
	return ticket === null ? { ticket: code ?? '', from: 'hub' } : { ticket, from: 'runner' };
}
