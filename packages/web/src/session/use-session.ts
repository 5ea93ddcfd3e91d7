// The session of the address, followed while it is shown: rows of its feed, its view, and text that is being written.
import { followRows, type RowsFollow, type SessionRows } from '@roost/client/world/follow-rows';
import type { SessionId } from '@roost/protocol/ids';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPaced, type Paced } from '../data/paced.ts';
import { useConnected } from '../data/use-connected.ts';
import { useSource } from '../data/use-world.ts';

export type Session = SessionRows & Pick<RowsFollow, 'readOlder'>;

type Followed = { readonly follow: RowsFollow; readonly paced: Paced<SessionRows> };

/** Undefined until it is followed. */
export function useSession(id: SessionId): Session | undefined {
	const { api, stream } = useConnected();
	const source = useSource();
	const [followed, setFollowed] = useState<Followed | undefined>(undefined);

	useEffect(() => {
		let changed = () => {};
		const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
		const follow = followRows({ id, api: api.feed, stream, pause, onChange: () => changed() });
		const paced = createPaced(follow.state, (handler) => {
			changed = handler;
			return follow.end;
		});
		setFollowed({ follow, paced });
		source.watchDriving(id);
		return () => paced[Symbol.dispose]();
	}, [id, api, stream, source]);

	const state = useSyncExternalStore(followed?.paced.subscribe ?? never, followed?.paced.snapshot ?? nothing);
	return followed && state?.id === id ? { ...state, readOlder: followed.follow.readOlder } : undefined;
}

function never(): () => void {
	return () => {};
}

function nothing(): undefined {
	return undefined;
}
