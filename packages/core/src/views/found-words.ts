// The result of a search in words.
import type { HubFound } from '@roost/protocol/hub/search';
import { plural } from '../display/plural.ts';

export function foundWords({ hits, unsearched }: { hits: readonly unknown[]; unsearched: number }): string {
	const what = hits.length === 0 ? 'Nothing was found.' : `${plural(hits.length, 'hit')}, the newest first.`;
	return unsearched === 0 ? what : `${what} ${plural(unsearched, 'new event')} not searched yet; retry in a moment.`;
}

/** Of all runners: "not yet indexed: laptop (1,234 events)". */
export function foundOnHubWords({ hits, behind }: HubFound): string {
	const what = foundWords({ hits, unsearched: 0 });
	if (behind.length === 0) return what;
	const named = behind.map(
		({ name, events }) => `${name} (${events.toLocaleString('en-US')} ${events === 1 ? 'event' : 'events'})`,
	);
	return `${what} Not yet indexed: ${named.join(', ')}.`;
}
