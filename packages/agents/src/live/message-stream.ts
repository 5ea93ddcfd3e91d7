// Messages of an agent as they are written, piece by piece; the last piece is marked.
import type { EventReporter } from './event-reporter.ts';

export type MessageStream = ReturnType<typeof createMessageStream>;

export function createMessageStream(reporter: Pick<EventReporter, 'report'>) {
	let open: { id: string; pieces: number; text: string } | undefined;
	let last: string | undefined;

	function show(id: string, index: number, delta: string, final: boolean, nativeId?: string): void {
		const native = nativeId === undefined ? {} : { native_id: nativeId };
		reporter.report('MessageDisplay', { message_id: id, index, delta, final, ...native });
	}

	function close(nativeId?: string): void {
		if (!open) return;
		show(open.id, open.pieces, '', true, nativeId);
		last = open.text;
		open = undefined;
	}

	return {
		/** Ends the previous message. */
		add(messageId: string, delta: string): void {
			if (delta === '') return;
			if (open?.id !== messageId) close();
			open ??= { id: messageId, pieces: 0, text: '' };
			show(messageId, open.pieces, delta, false);
			open.pieces++;
			open.text += delta;
		},
		/** Shows the whole message where no piece was seen. `nativeId` is the agent's own id. */
		finish(messageId: string, whole?: string, nativeId?: string) {
			if (open?.id === messageId) return close(nativeId);
			if (whole === undefined || whole === '') return;
			close();
			show(messageId, 0, whole, true, nativeId);
			last = whole;
		},
		/** Ends an unfinished message. */
		breakOff: () => close(),
		last: () => last,
	};
}
