// Each paired runner as the gateway serves it; made when it is first used.
import type { Caller } from '@roost/gateway/access/caller';
import { feedHandlers } from '@roost/gateway/handlers/feed';
import { createCallables } from '@roost/gateway/operations/api';
import { createCommandProgress } from '@roost/gateway/operations/command-progress';
import { type FindRunner, RUNNER_OPERATIONS, type ServedRunner } from '@roost/gateway/operations/served-runner';
import { AppError } from '@roost/protocol/app-error';
import { contract } from '@roost/protocol/contract/contract';
import type { RunnerId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { Channels } from '../terminals/channels.ts';
import { createForwarded, type ForwardDeps } from './forwarded.ts';
import { replicaHandlers, replicaLog, replicaStream } from './replica.ts';

export type ServedRunnersDeps = Omit<ForwardDeps, 'runner' | 'rows'> & {
	runners: KnownRunners;
	store: Pick<HubStore, 'logs' | 'rows' | 'words'>;
	/** The caller with the roles that it has for this runner. */
	callerFor(caller: Caller, runner: RunnerId): Caller;
	channels: Pick<Channels, 'of'>;
};

export function createServedRunners(deps: ServedRunnersDeps): FindRunner {
	const served = new WeakMap<KnownRunner, ServedRunner>();
	return (id) => {
		const runner = deps.runners.find(id);
		if (!runner) return undefined;
		const before = served.get(runner);
		if (before) return before;
		const made = serve(runner, deps);
		served.set(runner, made);
		return made;
	};
}

function serve(runner: KnownRunner, deps: ServedRunnersDeps): ServedRunner {
	const { store } = deps;
	const replica = { runner, store };
	const { record, ...others } = replicaHandlers(replica);
	const feed = feedHandlers({
		log: replicaLog(replica),
		record,
		liveView: () => undefined,
		exportSession: () => err(new AppError('denied', 'Export a session on the machine of its runner: "roost export".')),
	});
	const answered = createCallables(
		{ record: contract.record, feed: contract.feed, asks: contract.asks, queue: contract.queue },
		{ record, feed, ...others },
		// Nothing that the record answers is a command.
		{ receipts: { run: ({ work }) => work() }, progress: createCommandProgress(deps.now) },
	);
	const handled: Readonly<Record<string, object>> = { record, feed, ...others };
	const api = new Map(answered.filter(({ name }) => isHandled(handled, name)).map((one) => [one.name, one]));
	for (const [name, operation] of RUNNER_OPERATIONS) {
		if (!api.has(name)) api.set(name, createForwarded(name, operation, { ...deps, runner, rows: store.rows }));
	}
	return {
		backend: replicaStream(replica),
		passTerminal: deps.channels.of(runner),
		api,
		callerOf: (caller) => deps.callerFor(caller, runner.id),
	};
}

function isHandled(handlers: Readonly<Record<string, object>>, name: string): boolean {
	const [resource = '', operation = ''] = name.split('.');
	return operation in (handlers[resource] ?? {});
}
