// Payloads of Roost's own reports, which adapters make where an agent has no word for it.
import { tokenUsage } from '@roost/protocol/feed/conversation';
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

export const runtimeError = hookPayload({ code: z.string(), message: z.string(), detail: optionalText });

export const runtimeStatus = hookPayload({ status: z.enum(['connected', 'gap', 'degraded']), reason: optionalText });

/** Totals of the session, each message of a model counted once; those of a conversation it was copied from are not its own. */
export const usageReport = hookPayload({ by_model: z.record(z.string(), tokenUsage) });
