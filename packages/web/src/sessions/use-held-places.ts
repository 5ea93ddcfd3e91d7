// The places of sessions in a list: they change only while the pointer is not over it, so that nothing moves under the pointer.
import type { SessionRow } from '@roost/protocol/session-row';
import { type RefObject, useRef } from 'react';
import { byAttention, inPlaces, type Place, placesOf } from './by-attention.ts';

export type Held<Row> = { readonly rows: readonly Row[]; readonly places: ReadonlyMap<string, Place> };

export function useHeldPlaces<Row extends SessionRow>(sessions: readonly Row[], list: RefObject<HTMLElement | null>): Held<Row> {
	const held = useRef<ReadonlyMap<string, Place>>(new Map());
	const ordered = byAttention(sessions);
	if (!list.current?.matches(':hover')) held.current = placesOf(ordered);
	return { rows: inPlaces(ordered, held.current), places: held.current };
}
