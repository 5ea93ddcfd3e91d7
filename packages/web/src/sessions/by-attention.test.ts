import { toRow } from '@roost/testkit/rigs/web/rows';
import { describe, expect, it } from 'vitest';
import { byAttention, inPlaces, placesOf, toGroups } from './by-attention.ts';

const waiting = toRow('w', { status: 'waiting', lastEventAt: 1 });
const working = toRow('k', { status: 'working', lastEventAt: 2 });
const ended = toRow('e', { status: 'ended', lastEventAt: 9 });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('sessions by attention', () => {
	it('have waiting ones first, and leave archived ones out', () => {
		const archived = toRow('a', { archived: true });
		expect(ids(byAttention([ended, archived, working, waiting]))).toEqual(['w', 'k', 'e']);
	});

	it('keep the places that they had, and add new ones at the end', () => {
		const held = placesOf(byAttention([working, ended]));
		const later = byAttention([{ ...ended, status: 'working', lastEventAt: 10 }, working, waiting]);
		expect(ids(inPlaces(later, held))).toEqual(['k', 'e', 'w']);
		expect(toGroups(inPlaces(later, held), held).map(({ name, rows }) => [name, ids(rows)])).toEqual([
			['Waiting', ['w']],
			['Working', ['k']],
			['Recent', ['e']],
		]);
	});
});
