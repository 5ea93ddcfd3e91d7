// Events of newer runners: a kind or data that this version does not know becomes `unknown.hook`, so that no reader stops at it.
import { feedEventBase } from '@roost/protocol/feed/base';
import { type FeedEvent, type FeedEventOf, feedEvent } from '@roost/protocol/feed/event';
import { storedLine } from '@roost/protocol/stored-line';
import { z } from 'zod';

const unknownEvent = feedEventBase.extend({ kind: z.string(), data: z.unknown().optional() }).transform(
	({ kind, data, ...rest }): FeedEventOf<'unknown.hook'> => ({
		...rest,
		kind: 'unknown.hook',
		data: { hook_event_name: kind, payload: data ?? null },
	}),
);

export const tolerantEvent: z.ZodType<FeedEvent> = z.union([feedEvent, unknownEvent]);

export const tolerantLine = storedLine.extend({ event: tolerantEvent });
