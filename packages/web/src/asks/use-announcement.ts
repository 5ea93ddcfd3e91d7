// The sentence for screen readers, kept across pages.
import { useRef } from 'react';
import { useWorld } from '../data/use-world.ts';
import { type Announced, NOTHING_ANNOUNCED, nextAnnouncement } from './announcement.ts';

export function useAnnouncement(): string {
	const world = useWorld();
	const announced = useRef<Announced>(NOTHING_ANNOUNCED);
	announced.current = nextAnnouncement(announced.current, world);
	return announced.current.sentence;
}
