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

/** `key`: what is read; a value of another key is not shown. */
export function useRead<T>(key: string, read: () => Promise<Reply<T>>): Read<T> {
	const isLive = useWorld().connection.state === 'live';
	const [shown, setShown] = useState<{ key: string; value?: T; problem?: string }>({ key });
	const latest = useRef({ read, key });
	latest.current = { read, key };

	const again = useCallback(async () => {
		const asked = latest.current;
		const reply = await asked.read();
		if (latest.current.key !== asked.key) return;
		if (reply.ok) setShown({ key: asked.key, value: reply.value });
		else setShown((before) => ({ ...(before.key === asked.key ? before : { key: asked.key }), problem: reply.error.message }));
	}, []);

	useEffect(() => {
		if (isLive && key === latest.current.key) void again();
	}, [isLive, key, again]);

	const { value, problem } = shown.key === key ? shown : {};
	return { value, problem, again: () => void again() };
}
