// The ticket of a link, in the fragment of the address; removed from the address bar and the history at once.

export function takeTicket(): string | undefined {
	const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
	if (ticket !== null) history.replaceState(null, '', `${location.pathname}${location.search}`);
	return ticket ?? undefined;
}
