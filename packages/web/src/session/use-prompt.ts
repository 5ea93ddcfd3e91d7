// The prompt that the user writes to a session. Nothing typed is lost: the draft and what is on its way are kept in this browser.
import type { SessionId } from '@roost/protocol/ids';
import { useCallback, useEffect, useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { useSource, useWorld } from '../data/use-world.ts';
import { type Outgoing, readPrompt, writePrompt } from './kept-prompts.ts';

export type Prompt = {
	readonly text: string;
	/** On its way: it is sent once, also after a lost connection or a reload. */
	readonly outgoing: Outgoing | undefined;
	write(text: string): void;
	send(): void;
};

const RETRY_MS = 1_000;

export function usePrompt(id: SessionId): Prompt {
	const { api } = useConnected();
	const source = useSource();
	const isLive = useWorld().connection.state === 'live';
	const [kept, setKept] = useState(() => ({ id, ...readPrompt(localStorage, id) }));
	const current = kept.id === id ? kept : { id, ...readPrompt(localStorage, id) };
	const { text, outgoing } = current;
	const [tries, setTries] = useState(0);

	const keep = useCallback(
		(next: { text: string; outgoing: Outgoing | undefined }) => {
			writePrompt(localStorage, id, next);
			setKept({ id, ...next });
		},
		[id],
	);

	useEffect(() => {
		if (!isLive || outgoing === undefined) return undefined;
		let isOver = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		void api.sessions.message({ commandId: outgoing.commandId, id, text: outgoing.text }).then((taken) => {
			if (isOver) return;
			// Without an answer it stays on its way, and is sent again with the same id.
			if (!taken.ok && taken.error.code === 'cannot_start') {
				timer = setTimeout(() => setTries(tries + 1), RETRY_MS);
				return;
			}
			const { text: draft } = readPrompt(localStorage, id);
			const isTaken = taken.ok || taken.queued !== undefined;
			if (!taken.ok && taken.queued) source.reportQueued(taken.queued.expiresAt);
			else if (!taken.ok) source.report(taken.error.message);
			keep({ text: isTaken ? draft : [outgoing.text, draft].filter(Boolean).join('\n'), outgoing: undefined });
		});
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [isLive, outgoing, tries, id, api, source, keep]);

	return {
		text,
		outgoing,
		write: (next) => keep({ text: next, outgoing }),
		send() {
			if (text.trim() === '' || outgoing) return;
			keep({ text: '', outgoing: { commandId: crypto.randomUUID(), text } });
		},
	};
}
