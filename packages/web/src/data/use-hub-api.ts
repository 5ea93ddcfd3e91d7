// Operations that only a hub has, for the pages that need them.
import { type ClientOf, createClientOf } from '@roost/client/client-of';
import { hub } from '@roost/protocol/contract/hub';
import { useMemo } from 'react';
import { useConnected } from './use-connected.ts';

export type HubApi = ClientOf<{ hub: typeof hub }>['hub'];

export function useHubApi(): HubApi {
	const { calls } = useConnected();
	return useMemo(() => createClientOf({ hub }, calls).hub, [calls]);
}
