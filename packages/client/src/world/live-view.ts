// The view of a session as the runner has it, continued with the lines that follow.
import { foldSessionView, type SessionView } from '@roost/core/views/session-view';
import { parseView } from '@roost/core/views/view-json';
import type { StoredView } from '@roost/protocol/api/feed-rows';
import { AppError } from '@roost/protocol/app-error';
import type { StoredLine } from '@roost/protocol/stored-line';
import type { Reply } from '../api-call.ts';

export type LiveView = {
	/** `followed`: lines after this offset are taken, so the view has to be of as many at least. */
	read(request: () => Promise<Reply<StoredView>>, followed: number): Promise<Reply<SessionView>>;
	take(line: StoredLine): void;
};

export function createLiveView(): LiveView {
	let view: SessionView | undefined;
	/** The offset that the view was read at: it has the lines up to here. */
	let readAt = 0;
	/** Lines that came before the view. */
	let early: StoredLine[] = [];

	return {
		async read(request, followed) {
			const reply = await request();
			if (!reply.ok) return reply;
			const parsed = parseView(reply.value.view);
			if (!parsed) return { ok: false, error: otherVersion() };
			if (reply.value.offset < followed) return { ok: false, error: behind() };
			readAt = reply.value.offset;
			for (const { offset, event } of early) if (offset > readAt) foldSessionView(parsed, event);
			early = [];
			view = parsed;
			return { ok: true, value: parsed };
		},
		take(line) {
			if (!view) early.push(line);
			else if (line.offset > readAt) foldSessionView(view, line.event);
		},
	};
}

function behind(): AppError {
	return new AppError('store_busy', 'The state of the session is older than its feed. Trying again.');
}

/** Trying again cannot help, so it is of a code that ends the attempts. */
function otherVersion(): AppError {
	return new AppError('schema_too_new', 'The runner has another version. Reload to use the same one.');
}
