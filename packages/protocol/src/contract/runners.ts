// The runners behind an address: a runner lists itself, a hub all that were paired.
import { z } from 'zod';
import { runnerRow } from '../hub/runners.ts';
import { operation } from './operation.ts';

export const runners = {
	list: operation({ method: 'GET', needs: 'view', from: 'record' }, '/runners', 'List runners, and whether they are online', {
		reply: z.array(runnerRow),
	}),
} as const;
