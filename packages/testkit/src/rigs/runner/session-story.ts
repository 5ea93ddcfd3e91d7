// One session that a runner drives, as a client uses it over the API.

import type { ApiClient } from '@roost/client/api-client';
import { titleOf } from '@roost/core/feed/title';
import type { ApproveBody } from '@roost/protocol/api/answers';
import type { CreateSession } from '@roost/protocol/api/driving';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

export type SessionStory = {
	readonly id: SessionId;
	facts(): Promise<FeedEvent[]>;
	of<K extends FeedEvent['kind']>(kind: K): Promise<FeedEventOf<K>[]>;
	/** Waits for the nth fact of a kind, from 1. */
	until<K extends FeedEvent['kind']>(kind: K, count?: number): Promise<FeedEventOf<K>>;
	row(): Promise<SessionRow>;
	/** Sends a prompt without waiting for its run. */
	send(text: string): Promise<PromptId>;
	/** Sends a prompt and waits until its run has ended. */
	say(text: string): Promise<FeedEventOf<'run.end'>>;
	interrupt(): Promise<void>;
	end(): Promise<void>;
	fork(upTo?: string): Promise<SessionStory>;
	/** The pending ask, once there is one. */
	asked(): Promise<AskRow>;
	/** Decides the pending ask, or waits for one. */
	decide(decision: 'allow' | 'deny', how?: Omit<ApproveBody, 'askId' | 'nonce' | 'decision'>): Promise<AskRow>;
};

export async function startStory(api: ApiClient, body: CreateSession): Promise<SessionStory> {
	return reportStory(api, unwrap(await api.sessions.create({ commandId: crypto.randomUUID(), ...body })).sessionId);
}

export function reportStory(api: ApiClient, id: SessionId): SessionStory {
	const command = () => ({ id, commandId: crypto.randomUUID() });
	const facts = async () => unwrap(await api.feed.events({ id, limit: 1_000 })).map(({ event }) => event);
	const seen = async () => (await facts()).map(({ kind, data }) => `${kind}: ${titleOf(kind, data)}`);

	async function of<K extends FeedEvent['kind']>(kind: K): Promise<FeedEventOf<K>[]> {
		return (await facts()).filter((event): event is FeedEventOf<K> => event.kind === kind);
	}

	async function until<K extends FeedEvent['kind']>(kind: K, count = 1): Promise<FeedEventOf<K>> {
		const fact = async () => (await of(kind))[count - 1];
		return await waitFor(fact, { what: `${count} × ${kind}`, seen });
	}

	async function send(text: string): Promise<PromptId> {
		return unwrap(await api.sessions.message({ ...command(), text })).promptId;
	}

	async function asked(): Promise<AskRow> {
		const mine = async () => unwrap(await api.asks.list()).find((ask) => ask.sessionId === id);
		return await waitFor(mine, { what: 'an ask', seen });
	}

	return {
		id,
		facts,
		of,
		until,
		row: async () => unwrap(await api.record.session({ id })),
		send,
		async say(text) {
			const before = (await of('run.end')).length;
			await send(text);
			return await until('run.end', before + 1);
		},
		async interrupt() {
			unwrap(await api.sessions.interrupt(command()));
		},
		async end() {
			unwrap(await api.sessions.end(command()));
		},
		fork: async (upTo) => reportStory(api, unwrap(await api.sessions.fork({ ...command(), upTo })).sessionId),
		asked,
		async decide(decision, how = {}) {
			const { id: askId, nonce } = await asked();
			return unwrap(await api.asks.approve({ id, askId, nonce, decision, ...how }));
		},
	};
}
