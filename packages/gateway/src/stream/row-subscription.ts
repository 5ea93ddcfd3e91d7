// One client's subscription to the rows of sessions: the current ones, as fast as the client reads, then those that change.
import type { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { SessionTile } from '@roost/protocol/session-row';
import type { SessionRows } from '../operations/backend.ts';
import { toFrame } from './frames.ts';
import type { Outbox } from './outbox.ts';

export type RowSubscription = {
	readonly sub: string;
	/** This row was sent because it changed. */
	noteSent(id: SessionId): void;
	/** Continues with the current rows while the client has room. */
	replay(): void;
	end(): void;
};

export type RowSubscriptionDeps = {
	sub: string;
	/** Most current rows. */
	limit: number | undefined;
	rows: Pick<SessionRows, 'page'>;
	outbox: Outbox;
	onUnreadable(error: AppError): void;
};

const PAGE_ROWS = 100;

export function createRowSubscription(deps: RowSubscriptionDeps): RowSubscription {
	const { sub, rows, outbox } = deps;
	/** Changed rows that were sent, which are newer than the page. */
	const sent = new Set<SessionId>();
	let page: SessionTile[] = [];
	let left = deps.limit ?? Number.POSITIVE_INFINITY;
	let after: SessionId | undefined;
	let done = false;
	let reading = false;

	function replay(): void {
		while (!done && !reading && outbox.hasRoom()) {
			const row = page.shift();
			if (row) {
				if (!sent.has(row.id)) outbox.send(toFrame({ type: 'session-row', row }));
			} else if (left > 0) read();
			else finish();
		}
	}

	function read(): void {
		const found = rows.page({ after, limit: Math.min(PAGE_ROWS, left) });
		if (!(found instanceof Promise)) {
			take(found);
			return;
		}
		reading = true;
		void found.then((late) => {
			reading = false;
			take(late);
			replay();
		});
	}

	function take(found: Result<SessionTile[]>): void {
		if (done) return;
		if (!found.ok) {
			end();
			deps.onUnreadable(found.error);
			return;
		}
		page = found.value;
		// The last page is shorter.
		left = page.length < PAGE_ROWS ? 0 : left - page.length;
		after = page.at(-1)?.id;
	}

	function finish(): void {
		end();
		outbox.send(toFrame({ type: 'caught-up', sub }));
	}

	function end(): void {
		done = true;
		sent.clear();
	}

	return {
		sub,
		noteSent(id) {
			if (!done) sent.add(id);
		},
		replay,
		end,
	};
}
