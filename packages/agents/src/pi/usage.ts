// Usage of a Pi session by model: each model call is reported once, cached tokens separately.
import { createUsageTally, tallyMessage, toUsageByModel, type UsageByModel } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { z } from 'zod';
import { toReasoning } from '../base/usage.ts';
import { sessionLines } from './session-lines.ts';

export type SessionUsage = ReturnType<typeof createSessionUsage>;

export type SessionSums = { usage: UsageByModel; model: string };

const count = z.number().nonnegative().catch(0);

const piUsage = z.object({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count }).transform(
	({ input, output, cacheRead, cacheWrite, reasoning }): TokenUsage => ({
		input_tokens: input,
		output_tokens: output,
		cache_read_tokens: cacheRead,
		cache_write_tokens: cacheWrite,
		...toReasoning(reasoning),
	}),
);

export function createSessionUsage() {
	const tally = createUsageTally();
	return {
		add(model: string, usage: unknown): void {
			const parsed = piUsage.safeParse(usage);
			if (parsed.success) tallyMessage(tally, { model, usage: parsed.data });
		},
		totals: () => toUsageByModel(tally),
	};
}

/** Null for other files. Usage without a model belongs to the previous one. */
export async function sumSessionFile(path: string, usage: SessionUsage): Promise<SessionSums | null> {
	let model: string | undefined;
	let isPis = false;
	try {
		for await (const line of sessionLines(path)) {
			if (line.type === 'header') isPis = true;
			if (line.type === 'model' || line.type === 'answer') model = line.model;
			if (line.type === 'answer' || line.type === 'usage')
				usage.add(('model' in line && line.model) || model || 'unknown', line.usage);
		}
	} catch {
		// A missing or unreadable file.
		return null;
	}
	return isPis ? { usage: usage.totals(), model: model ?? '' } : null;
}
