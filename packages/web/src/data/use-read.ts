// One read of the API for a component: read again when its key changes, after a lost connection, and on request.
import type { Reply } from '@roost/client/api-call';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useWorld } from './use-world.ts';

export type Read<T> = {
	/** The newest value; an older one stays while it is read again. */
	readonly value: T | undefined;
	/** Why the last read failed. */
	readonly problem: string | undefined;
	again(): void;
};

type Shown<T> = { key: string | null; value?: T; problem?: string };

/** `key`: what is read; a value of another key is not shown, and null reads nothing. */
export function useRead<T>(key: string | null, read: () => Promise<Reply<T>>): Read<T> {
	const isLive = useWorld().connection.state === 'live';
	const [shown, setShown] = useState<Shown<T>>({ key });
	const latest = useRef({ read, key, isLive });
	latest.current = { read, key, isLive };
	/** What was read since the connection was lost. */
	const fresh = useRef<string | null>(null);
	const wasLive = useRef(false);

	const again = useCallback(async (): Promise<void> => {
		const asked = latest.current;
		fresh.current = asked.key;
		const reply = await asked.read();
		if (latest.current.key !== asked.key) return;
		if (reply.ok) return setShown({ key: asked.key, value: reply.value });
		fresh.current = null;
		// Without a connection the page says so, and everything is read again when it is back.
		if (!asked.isLive) return latest.current.isLive ? await again() : undefined;
		setShown((before) => ({ ...(before.key === asked.key ? before : { key: asked.key }), problem: reply.error.message }));
	}, []);

	// The first read does not wait for a connection, which takes longer on a slow line.
	useEffect(() => {
		const isLost = wasLive.current && !isLive;
		wasLive.current ||= isLive;
		if (isLost) fresh.current = null;
		else if (key !== null && fresh.current !== key) void again();
	}, [isLive, key, again]);

	const { value, problem } = shown.key === key ? shown : {};
	return { value, problem, again: () => void again() };
}
