// When devices are notified of pending requests: after a moment, if nobody watches; and again when none is left.
import type { Timers } from '@roost/machine/timers';
import type { PushMessage } from '@roost/protocol/api/push';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';

export type AnnounceDeps = {
	/** Oldest first. */
	pending(): readonly Pick<AskRow, 'id'>[];
	/** Returns the unsubscribe function. */
	onAsks(handler: () => void): () => void;
	/** Whether a face is visible. */
	isWatched(): boolean;
	/** To every device with notifications. */
	send(message: Omit<PushMessage, 'runner'>): void;
	timers: Timers;
};

/** Requests that are answered at once are not announced. */
export const ANNOUNCE_MS = 3_000;

export function announceAsks({ pending, onAsks, isWatched, send, timers }: AnnounceDeps): Disposable {
	const announced = new Set<AskId>();
	const noticed = new Set<AskId>();
	let cancel: (() => void) | undefined;

	function notice(): void {
		const open = pending();
		forgetOthers(noticed, open);
		const hadSome = announced.size > 0;
		forgetOthers(announced, open);
		if (hadSome && announced.size === 0) send({ count: 0 });
		if (open.some(({ id }) => !noticed.has(id))) cancel ??= timers.after(ANNOUNCE_MS, announce);
	}

	function announce(): void {
		cancel = undefined;
		const open = pending();
		const isNew = open.some(({ id }) => !noticed.has(id));
		for (const { id } of open) noticed.add(id);
		const [oldest] = open;
		if (!oldest || !isNew || isWatched()) return;
		for (const { id } of open) announced.add(id);
		send({ count: open.length, ask: oldest.id });
	}

	const stop = onAsks(notice);
	notice();
	return {
		[Symbol.dispose]() {
			stop();
			cancel?.();
		},
	};
}

function forgetOthers(ids: Set<AskId>, open: readonly Pick<AskRow, 'id'>[]): void {
	for (const id of ids) if (!open.some((ask) => ask.id === id)) ids.delete(id);
}
