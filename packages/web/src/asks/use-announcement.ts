// The sentence for screen readers, kept across pages.
import { useRef } from 'react';
import { useWorld } from '../data/use-world.ts';
import { type Announced, NOTHING_ANNOUNCED, nextAnnouncement } from './announcement.ts';
import { useAllAsks } from './use-all-asks.ts';

export function useAnnouncement(): string {
	const asks = useAllAsks().map(({ ask }) => ask);
	const { now } = useWorld();
	const announced = useRef<Announced>(NOTHING_ANNOUNCED);
	announced.current = nextAnnouncement(announced.current, { asks, now });
	return announced.current.sentence;
}
