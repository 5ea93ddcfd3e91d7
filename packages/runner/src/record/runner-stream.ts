// The runner's own stream of facts: changes of rules, trust and devices, and who made them.
import { type Fact, mapFact } from '@roost/core/feed/mapper';
import { createRedactor } from '@roost/core/redaction/redact';
import { sha256 } from '@roost/machine/sha256';
import type { Principal } from '@roost/protocol/ask';
import { projectId, type RunnerId, runnerStream, sessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { AppendRequest, Receipt, Store } from '@roost/store/store';
import { rebuild } from './rebuild.ts';

export type RunnerStream = {
	/** Resolves when it is on disk; a change of the rules is in the same transaction. */
	record(fact: Fact, change?: AppendRequest['rules']): Promise<Result<void>>;
	keep(receipt: Receipt): Promise<Result<void>>;
};

export function toWho({ name, face }: Principal): string {
	return `${name}@${face}`;
}

/** Only one per runner, because it numbers its events. */
export function openRunnerStream(deps: {
	store: Store;
	runnerId: RunnerId;
	now: () => number;
	/** Called with the stored lines, after they are on disk. */
	onStored?: (entries: LogEntry[]) => void;
}): Result<RunnerStream> {
	// Stored like a session.
	const own = sessionId.parse(runnerStream(deps.runnerId));
	const rebuilt = rebuild(deps.store, own, sessionStream(own));
	if (!rebuilt.ok) return rebuilt;
	const { feed } = rebuilt.value.state;
	const redactor = createRedactor(sha256);
	const place = { stream: sessionStream(own), sessionId: own, projectId: projectId.parse(own), runnerId: deps.runnerId };

	return ok({
		async record(fact, rules) {
			const event = mapFact(feed, redactor.redact(fact).value, deps.now());
			const receipt = await deps.store.append({ ...place, receivedAt: deps.now(), events: [event], rules });
			if (!receipt.ok) return receipt;
			deps.onStored?.(receipt.value.entries);
			return ok(undefined);
		},
		async keep(receipt) {
			const kept = await deps.store.append({ ...place, receivedAt: deps.now(), events: [], receipts: [receipt] });
			return kept.ok ? ok(undefined) : kept;
		},
	});
}
