// Payloads of sessions: beginning, end and setup.
import { nativeIdReason } from '@roost/protocol/session-row';
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

export const sessionStart = hookPayload({ source: nativeIdReason, model: optionalText });

export const sessionEnd = hookPayload({ reason: z.string() });

export const setup = hookPayload({ trigger: z.string() });
