// The session of the address, followed while it is shown: rows of its feed, its view, and text that is being written.
import { followRows, type RowsFollow, type SessionRows } from '@roost/client/world/follow-rows';
import type { SessionId } from '@roost/protocol/ids';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPaced, type Paced } from '../data/paced.ts';
import { pause } from '../data/timing.ts';
import { useConnected } from '../data/use-connected.ts';
import { useSource, useWorld } from '../data/use-world.ts';

export type Session = SessionRows & {
	/** Reads one more page, and resolves with what was read then. */
	readOlder(): Promise<SessionRows>;
};

type Followed = { readonly follow: RowsFollow; readonly paced: Paced<SessionRows> };

/** Undefined until it is followed. */
export function useSession(id: SessionId): Session | undefined {
	const { api, stream } = useConnected();
	const source = useSource();
	const isLive = useWorld().connection.state === 'live';
	const [followed, setFollowed] = useState<Followed | undefined>(undefined);

	useEffect(() => {
		let changed = () => {};
		const follow = followRows({ id, api, stream, pause, onChange: () => changed() });
		const paced = createPaced(follow.state, (handler) => {
			changed = handler;
			return follow.end;
		});
		setFollowed({ follow, paced });
		return () => paced[Symbol.dispose]();
	}, [id, api, stream]);

	// Once: the source reads it again after each lost connection.
	const watched = useRef<SessionId>(undefined);
	useEffect(() => {
		if (!isLive || watched.current === id) return;
		watched.current = id;
		source.watchDriving(id);
	}, [id, isLive, source]);

	const state = useSyncExternalStore(followed?.paced.subscribe ?? never, followed?.paced.snapshot ?? nothing);
	if (!followed || state?.id !== id) return undefined;
	const { follow } = followed;
	return { ...state, readOlder: () => follow.readOlder().then(follow.state) };
}

function never(): () => void {
	return () => {};
}

function nothing(): undefined {
	return undefined;
}
