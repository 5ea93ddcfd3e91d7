// Conflicts between a request and the stored rows: a decided ask and a stored rule never change.
import type { AppError } from '@roost/protocol/app-error';
import type { AskId, RuleId } from '@roost/protocol/ids';
import type { PreparedAppend } from './prepared-append.ts';
import { decidedAsk, differentRule } from './refusals.ts';

/** The stored state: an unknown one counts as decided. */
export type KeptAsk = { state: string; text: string };

export type Kept = {
	ask(id: AskId): KeptAsk | undefined;
	rule(id: RuleId): string | undefined;
};

/** Undefined without a conflict. To be called before anything of the request is written. */
export function conflictOf({ asks, rules }: PreparedAppend, kept: Kept): AppError | undefined {
	return askConflict(asks, kept) ?? ruleConflict(rules, kept);
}

function askConflict(asks: PreparedAppend['asks'], kept: Kept): AppError | undefined {
	// A request may hold several rows of one ask: each is compared with the one before it.
	const written = new Map<AskId, KeptAsk>();
	for (const { row, text } of asks) {
		const before = written.get(row.id) ?? kept.ask(row.id);
		if (before !== undefined && before.state !== 'pending' && before.text !== text) {
			return decidedAsk(row.id, before.state);
		}
		written.set(row.id, { state: row.state, text });
	}
	return undefined;
}

function ruleConflict({ add, remove }: PreparedAppend['rules'], kept: Kept): AppError | undefined {
	const removed = new Set(remove);
	const written = new Map<RuleId, string>();
	for (const { row, text } of add) {
		const before = written.get(row.id) ?? (removed.has(row.id) ? undefined : kept.rule(row.id));
		if (before !== undefined && before !== text) return differentRule(row.id);
		written.set(row.id, text);
	}
	return undefined;
}
