// A pending request as a hub lists it: with the runner that asks.
import type { z } from 'zod';
import { askRow } from '../ask.ts';
import { runnerRow } from './runners.ts';

/** The id of a request is unique for its runner only. */
export const inboxAsk = askRow.extend({ runner: runnerRow.pick({ id: true, name: true, online: true }) });
export type InboxAsk = z.infer<typeof inboxAsk>;
