// What the usage page shows, as its address says: `?by=model&since=30d&show=tokens`.
import { dayBack } from '@roost/core/views/usage-report-words';
import { calendarDay, type UsageBy, usageBy } from '@roost/protocol/api/usage';
import { z } from 'zod';

export const SPANS = ['7d', '30d', '90d', 'all'] as const;
export const FIGURES = ['cost', 'tokens'] as const;
export type Figure = (typeof FIGURES)[number];

/** `since`: a span, or a day that a link names. */
export type UsageAddress = { readonly by: UsageBy; readonly since: string; readonly show: Figure };

const address = z.object({
	by: usageBy.catch('day'),
	since: z.union([z.enum(SPANS), calendarDay]).catch('30d'),
	show: z.enum(FIGURES).catch('cost'),
});

/** Unknown values are as if absent. */
export function parseUsageAddress(params: URLSearchParams): UsageAddress {
	return address.parse(Object.fromEntries(params));
}

export function toUsageAddress({ by, since, show }: UsageAddress): string {
	return `/usage?${new URLSearchParams({ by, since, show })}`;
}

/** Undefined for everything on record. */
export function firstDay(since: string, now: number): string | undefined {
	if (since === 'all') return undefined;
	const days = /^(\d+)d$/.exec(since)?.[1];
	return days === undefined ? since : dayBack(Number(days), now);
}
