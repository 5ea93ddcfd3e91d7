// What a runner has to say of itself, as facts in a stream of its own: rules and trust, and who gave or took them.
import { type Fact, mapFact } from '@roost/core/feed/mapper';
import { createRedactor } from '@roost/core/redaction/redact';
import type { Principal } from '@roost/protocol/ask';
import { projectId, type RunnerId, runnerStream, sessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { AppendRequest, Receipt, Store } from '@roost/store/store';
import { rebuild } from './rebuild.ts';

export type RunnerStream = {
	/** Resolves when it is on disk; a change of the rules is made in the same transaction, or not at all. */
	record(fact: Fact, change?: AppendRequest['rules']): Promise<Result<void>>;
	/** Puts a receipt on record by itself. */
	keep(receipt: Receipt): Promise<Result<void>>;
};

/** Somebody, as facts name them. */
export function toWho({ name, face }: Principal): string {
	return `${name}@${face}`;
}

/** One for each runner: it counts what it writes. */
export function openRunnerStream(deps: {
	store: Store;
	runnerId: RunnerId;
	now: () => number;
	hash: (text: string) => string;
	/** Told of the stored lines, after they are on disk. */
	tell: (entries: LogEntry[]) => void;
}): Result<RunnerStream> {
	// It is no session, but it is kept like one.
	const own = sessionId.parse(runnerStream(deps.runnerId));
	const rebuilt = rebuild(deps.store, own, sessionStream(own));
	if (!rebuilt.ok) return rebuilt;
	const { feed } = rebuilt.value.state;
	const redactor = createRedactor(deps.hash);
	const place = { stream: sessionStream(own), sessionId: own, projectId: projectId.parse(own), runnerId: deps.runnerId };

	return ok({
		async record(fact, rules) {
			const event = mapFact(feed, redactor.redact(fact).value, deps.now());
			const receipt = await deps.store.append({ ...place, receivedAt: deps.now(), events: [event], rules });
			if (!receipt.ok) return receipt;
			deps.tell(receipt.value.entries);
			return ok(undefined);
		},
		async keep(receipt) {
			const kept = await deps.store.append({ ...place, receivedAt: deps.now(), events: [], receipts: [receipt] });
			return kept.ok ? ok(undefined) : kept;
		},
	});
}
