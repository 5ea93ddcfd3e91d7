// The comments and the summary of a review while it is written; each key is stored at once.
import { useCallback, useState } from 'react';
import { type DraftComment, type Drafts, readDrafts, writeDrafts, writtenIn } from './drafts.ts';

export type DraftActions = {
	/** Opens the field of a new comment. One without words moves there. */
	add(place: Omit<DraftComment, 'id' | 'text' | 'isOpen'>): void;
	change(id: string, part: Partial<DraftComment>): void;
	remove(id: string): void;
	summarise(summary: string): void;
	/** The id for sending it; the same until something is changed or `settle` is called. */
	takeCommandId(): string;
	settle(): void;
	/** Removes what was sent; what was typed since then stays. */
	forget(sent: readonly DraftComment[], summary: string): void;
};

export function useDrafts(sessionId: string): Drafts & DraftActions {
	const [drafts, setDrafts] = useState(() => readDrafts(localStorage, sessionId));

	const update = useCallback(
		(change: (before: Drafts) => Drafts) =>
			setDrafts((before) => {
				const after = change(before);
				writeDrafts(localStorage, sessionId, after);
				return after;
			}),
		[sessionId],
	);
	/** Another content is another command. */
	const edit = (change: (before: Drafts) => Partial<Drafts>) =>
		update(({ commandId: _, ...before }) => ({ ...before, ...change(before) }));

	return {
		...drafts,
		add: (place) =>
			edit((before) => ({ comments: [...writtenIn(before), { ...place, id: crypto.randomUUID(), text: '', isOpen: true }] })),
		change: (id, part) =>
			edit(({ comments }) => ({ comments: comments.map((one) => (one.id === id ? { ...one, ...part } : one)) })),
		remove: (id) => edit(({ comments }) => ({ comments: comments.filter((one) => one.id !== id) })),
		summarise: (summary) => edit(() => ({ summary })),
		takeCommandId() {
			const commandId = drafts.commandId ?? crypto.randomUUID();
			update((before) => ({ ...before, commandId }));
			return commandId;
		},
		settle: () => edit(() => ({})),
		forget: (sent, summary) =>
			edit((before) => ({
				comments: before.comments.filter((one) => !sent.some(({ id, text }) => id === one.id && text === one.text)),
				summary: before.summary === summary ? '' : before.summary,
			})),
	};
}
