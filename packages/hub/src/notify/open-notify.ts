// Notifications of a hub: follows what runners send, and posts what the plan says.

import { parseJson } from '@roost/core/display/parse-json';
import type { Log } from '@roost/gateway/http/log';
import type { BackendUpdate } from '@roost/gateway/operations/backend';
import type { Timers } from '@roost/machine/timers';
import type { AskId, RunnerId, SessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { storedLine } from '@roost/protocol/stored-line';
import type { KnownRunner } from '../runners/known-runners.ts';
import type { HubRows } from '../store/hub-store.ts';
import type { NotifyConfig } from './config.ts';
import {
	dueAsks,
	type FailedRun,
	keyOf,
	NOTHING_OPEN,
	type Notice,
	type NotifyInput,
	nextDue,
	type OpenAsk,
	planNotifications,
} from './plan-notifications.ts';
import { createSender } from './sender.ts';
import { toBody } from './to-body.ts';

export type Notify = AsyncDisposable & {
	/** Every update of a runner; only live ones notify people. */
	take(runner: KnownRunner, update: Partial<Pick<BackendUpdate, 'asks' | 'entries'>>, isLive: boolean): void;
};

export type NotifyDeps = {
	config: NotifyConfig;
	rows: Pick<HubRows, 'asks'>;
	/** Whether a visible face watches this runner. */
	isWatched(runner: RunnerId): boolean;
	/** The page of the request or the session. */
	linkTo(place: { runner: RunnerId; session: SessionId; ask: AskId | undefined }): string;
	timers: Timers;
	now: () => number;
	log: Log;
	/** Of one try. */
	timeoutMs?: number;
};

export function openNotify(deps: NotifyDeps): Notify {
	const { config, rows, timers, now } = deps;
	const senders = config.webhooks.map((webhook) => ({ webhook, sender: createSender({ ...deps, url: webhook.url }) }));
	let state = NOTHING_OPEN;
	let cancel: (() => void) | undefined;
	let isWaking = false;
	let isClosed = false;

	function apply(input: NotifyInput): void {
		const plan = planNotifications(state, input, config);
		state = plan.state;
		for (const notice of plan.notices) post(notice);
		cancel?.();
		const due = isWaking ? undefined : nextDue(state);
		cancel = due === undefined ? undefined : timers.after(due - now(), () => void wake());
	}

	function post(notice: Notice): void {
		const { runner, session } = notice;
		const ask = notice.kind === 'requests' ? notice.ask : undefined;
		const link = deps.linkTo({ runner: runner.id, session, ask });
		for (const { webhook, sender } of senders) sender.send(toBody(notice, webhook, link));
	}

	async function wake(): Promise<void> {
		cancel = undefined;
		isWaking = true;
		const at = now();
		const due = dueAsks(state, at);
		const pending = new Set<string>();
		const watched = new Set<RunnerId>();
		for (const { runner, ask } of due) {
			if (await isPending({ runner, ask })) pending.add(keyOf(runner.id, ask));
			if (deps.isWatched(runner.id)) watched.add(runner.id);
		}
		isWaking = false;
		if (!isClosed) apply({ type: 'due', at, pending, watched });
	}

	/** Its runner may be connected to another node by now. Without an answer of the store people are rather notified. */
	async function isPending({ runner, ask }: Pick<OpenAsk, 'runner' | 'ask'>): Promise<boolean> {
		const found = await rows.asks(runner.id, { id: ask });
		return !found.ok || found.value.length > 0;
	}

	return {
		take({ id, row }, { asks = [], entries = [] }, isLive) {
			if (isClosed || senders.length === 0) return;
			const failed = isLive ? entries.flatMap(toFailedRun) : [];
			if (asks.length === 0 && failed.length === 0) return;
			apply({ type: 'update', at: now(), runner: { id, name: row.name }, isLive, asks, failed });
		},
		async [Symbol.asyncDispose]() {
			isClosed = true;
			cancel?.();
			await Promise.all(senders.map(({ sender }) => sender[Symbol.asyncDispose]()));
		},
	};
}

function toFailedRun({ line }: LogEntry): FailedRun[] {
	// Most lines are no ends of runs, and need not be parsed.
	if (!line.includes('"run.end"')) return [];
	const { data } = storedLine.safeParse(parseJson(line));
	if (data?.event.kind !== 'run.end' || data.event.data.status !== 'failed') return [];
	return [{ session: data.sessionId, run: data.event.run_id }];
}
