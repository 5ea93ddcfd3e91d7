// Pending asks, recent decisions, and our own answers: updated live, and read again after a lost connection.
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import type { Reply } from '../api-call.ts';
import type { ApiClient } from '../api-client.ts';
import type { StreamClient } from '../stream-client.ts';
import { type Notice, queuedNotice } from './notice.ts';
import type { Pause } from './read-older.ts';
import { readUntilDone } from './read-until-done.ts';
import type { Wish } from './wish.ts';
import type { World } from './world.ts';

export type AskFacts = Pick<World, 'asks' | 'decided' | 'answered'>;

export type AskWatch = {
	/** Reads asks that changed without connection, again after a failure. Returns whether it could; a later call takes over. */
	catchUp(): Promise<boolean>;
	approve(ask: AskRow, answer: Extract<Wish, { type: 'approve' }>['answer']): Promise<void>;
	answer(ask: AskRow, answers: Record<string, string>): Promise<void>;
	/** It can be answered again: the answer did not reach the runner. */
	reopen(id: AskId): void;
};

export const NO_ASKS: AskFacts = { asks: [], decided: new Map(), answered: new Set() };

const MAX_DECIDED = 200;

export function watchAsks(deps: {
	api: Pick<ApiClient, 'asks'>;
	stream: Pick<StreamClient, 'onAsk' | 'approve' | 'answer'>;
	/** Of a request as it is displayed: a runner behind a hub compares it with its own. */
	toShown?: ((ask: AskRow) => Promise<string>) | undefined;
	/** A failed read is reported and repeated only while the connection lives; after it was lost, asks are read anyway. */
	isLive: () => boolean;
	pause: Pause;
	notify: (notice: Notice) => void;
	onChange: (facts: Partial<AskFacts>) => void;
}): AskWatch {
	const { api, stream, isLive, pause, notify } = deps;
	const pending = new Map<AskId, AskDetail>();
	const decided = new Map<AskId, AskRow>();
	const answered = new Set<AskId>();
	let reads = 0;

	function take(ask: AskRow): void {
		// A decided ask stays decided, in whatever order updates arrive.
		if (ask.state === 'pending' && !decided.has(ask.id)) {
			const known = pending.get(ask.id);
			pending.set(ask.id, known?.file ? { ...ask, file: known.file } : ask);
			if (!known) void readFile(ask);
		}
		if (ask.state === 'pending') return;
		pending.delete(ask.id);
		decided.set(ask.id, ask);
		const oldest = decided.size > MAX_DECIDED ? decided.keys().next().value : undefined;
		if (oldest !== undefined) forget(oldest);
	}

	/** The file that a call would change is requested once. */
	async function readFile({ id, input }: AskRow): Promise<void> {
		const shown = typeof input.file_path === 'string' ? await api.asks.show({ askId: id }) : undefined;
		const ask = pending.get(id);
		if (!shown?.ok || !shown.value.file || !ask) return;
		pending.set(id, { ...ask, file: shown.value.file });
		publish();
	}

	function forget(id: AskId): void {
		decided.delete(id);
		answered.delete(id);
	}

	function publish(): void {
		const asks = [...pending.values()].sort((a, b) => a.openedAt - b.openedAt);
		deps.onChange({ asks, decided: new Map(decided), answered: new Set(answered) });
	}

	stream.onAsk((ask) => {
		take(ask);
		publish();
	});

	async function shownOf(ask: AskRow): Promise<{ shown?: string }> {
		return deps.toShown ? { shown: await deps.toShown(ask) } : {};
	}

	async function send(ask: AskRow, sent: () => Promise<Reply<unknown>>): Promise<void> {
		answered.add(ask.id);
		publish();
		const reply = await sent();
		if (reply.ok) return;
		if (reply.queued) return notify(queuedNotice(reply.queued, ask.id));
		// If another answer was first, the ask is decided all the same.
		if (!reply.winner) answered.delete(ask.id);
		notify(reply.winner ? { type: 'answered-before', by: reply.winner } : { type: 'failed', message: reply.error.message });
		publish();
	}

	return {
		async catchUp() {
			const own = ++reads;
			const waiting = [...pending.keys()];
			let hasFailed = false;
			const listed = await readUntilDone(() => api.asks.list({ all: true }), {
				isOver: () => own !== reads || (hasFailed && !isLive()),
				pause,
				onProblem({ message }) {
					if (!hasFailed && isLive()) notify({ type: 'failed', message });
					hasFailed = true;
				},
			});
			if (!listed) return false;
			for (const ask of listed) if (ask.state === 'pending' || pending.has(ask.id)) take(ask);
			const known = new Set(listed.map(({ id }) => id));
			for (const id of waiting) if (!known.has(id)) pending.delete(id);
			publish();
			return true;
		},
		approve: (ask, answer) => send(ask, async () => stream.approve({ ...answer, ...boundTo(ask), ...(await shownOf(ask)) })),
		reopen(id) {
			if (answered.delete(id)) publish();
		},
		answer: (ask, answers) => send(ask, async () => stream.answer({ answers, ...boundTo(ask), ...(await shownOf(ask)) })),
	};
}

function boundTo({ sessionId, id, nonce }: AskRow) {
	return { id: sessionId, askId: id, nonce };
}
