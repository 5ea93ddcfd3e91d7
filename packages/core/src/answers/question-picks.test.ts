import type { Question } from '@roost/protocol/feed/decisions';
import { describe, expect, it } from 'vitest';
import { answersTo, answerTo, countPlaces, nonePlace, ownPlace, pick, pickOwn } from './question-picks.ts';

const ONE: Question = { question: 'Which?', multi_select: false, options: [{ label: 'A' }, { label: 'B' }] };
const MANY: Question = { ...ONE, question: 'Which ones?', multi_select: true };
const of = (...places: number[]) => new Set(places);

describe('picks', () => {
	it('have two places after the options', () => {
		expect([ownPlace(ONE), nonePlace(ONE), countPlaces(ONE)]).toEqual([2, 3, 4]);
	});

	it('replace each other with a single choice', () => {
		expect(pick(of(0), 1, ONE)).toEqual(of(1));
	});

	it('toggle with several choices, and exclude "no answer"', () => {
		expect(pick(of(0), 1, MANY)).toEqual(of(0, 1));
		expect(pick(of(0, 1), 1, MANY)).toEqual(of(0));
		expect(pick(of(0, 1), nonePlace(MANY), MANY)).toEqual(of(3));
		expect(pick(of(3), 0, MANY)).toEqual(of(0));
	});

	it('include a custom answer while it has text', () => {
		expect(pickOwn({ chosen: of(0), own: 'C' }, MANY)).toEqual(of(0, 2));
		expect(pickOwn({ chosen: of(0), own: 'C' }, ONE)).toEqual(of(2));
		expect(pickOwn({ chosen: of(0, 2), own: ' ' }, MANY)).toEqual(of(0));
	});
});

describe('answers', () => {
	it('join several labels and the custom answer', () => {
		expect(answerTo(MANY, { chosen: of(2, 1, 0), own: ' C ' })).toBe('A, B, C');
		expect(answerTo(MANY, { chosen: of(3), own: 'C' })).toBeUndefined();
	});

	it('have an empty text for a declined question, and no entry if all are declined', () => {
		expect(answersTo([ONE, MANY], [{ chosen: of(1), own: '' }])).toEqual({ 'Which?': 'B', 'Which ones?': '' });
		expect(answersTo([ONE, MANY], [])).toEqual({});
	});
});
