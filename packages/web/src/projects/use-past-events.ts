// The events of a past session, page by page from the start. It does not grow while it is read.
import type { ApiClient } from '@roost/client/api-client';
import type { FoundProjectId } from '@roost/protocol/api/projects';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { type Read, useRead } from '../data/use-read.ts';

const PAGE = 500;

export type PastEvents = Extract<Awaited<ReturnType<ApiClient['projects']['events']>>, { ok: true }>['value'];

export function usePastEvents(id: FoundProjectId, nativeId: string): Read<PastEvents> & { more(): void } {
	const { api } = useConnected();
	const [earlier, setEarlier] = useState<PastEvents['events']>([]);
	const after = earlier.at(-1)?.offset ?? 0;
	const page = useRead(`past ${id} ${nativeId} ${after}`, () => api.projects.events({ id, nativeId, after, limit: PAGE }));
	const events = [...earlier, ...(page.value?.events ?? [])];
	const value = page.value === undefined && earlier.length === 0 ? undefined : { events, more: page.value?.more ?? true };
	return { ...page, value, more: () => setEarlier(events) };
}
