// Events of newer runners: a kind or data that this version does not know becomes `unknown.hook`, so that no reader stops at it.

import { z } from 'zod';
import { feedEventBase } from './feed/base.ts';
import { type FeedEvent, type FeedEventOf, feedEvent } from './feed/event.ts';
import { storedLine } from './stored-line.ts';

const unknownEvent = feedEventBase.extend({ kind: z.string(), data: z.unknown().optional() }).transform(
	({ kind, data, ...rest }): FeedEventOf<'unknown.hook'> => ({
		...rest,
		kind: 'unknown.hook',
		data: { hook_event_name: kind, payload: data ?? null },
	}),
);

export const tolerantEvent: z.ZodType<FeedEvent> = z.union([feedEvent, unknownEvent]);

export const tolerantLine = storedLine.extend({ event: tolerantEvent });
