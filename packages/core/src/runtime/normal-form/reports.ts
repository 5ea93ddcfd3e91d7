// Payloads of Roost's own reports, which adapters make where an agent has no word for it.
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

export const runtimeError = hookPayload({ code: z.string(), message: z.string(), detail: optionalText });

export const runtimeStatus = hookPayload({ status: z.enum(['connected', 'gap', 'degraded']), reason: optionalText });
