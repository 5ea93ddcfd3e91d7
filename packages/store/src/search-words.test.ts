import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSearchIndex, SEARCH_TABLES } from './search-index.ts';
import { toFullTextQuery } from './search-words.ts';

describe('full-text query', () => {
	it('quotes every word and makes the last one a prefix', () => {
		expect(toFullTextQuery('  git "push"\tOR ')).toBe('"git" """push""" "OR" *');
	});

	it('is undefined without words', () => {
		expect([toFullTextQuery(''), toFullTextQuery(' \n\0 ')]).toEqual([undefined, undefined]);
	});

	it('is never a syntax error, for any input', () => {
		using db = new DatabaseSync(':memory:');
		db.exec(SEARCH_TABLES);
		const index = createSearchIndex(db);
		const hostile = fc.string({
			unit: fc.constantFrom(...'"\'*-+^:(){}[],.\\ \0\n\tNEARANDOTab\u00e9\u6f22\ud800'),
			maxLength: 40,
		});
		fc.assert(
			fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (words) => {
				expect(index.find({ words, limit: 3 })).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	it('may be very long', () => {
		using db = new DatabaseSync(':memory:');
		db.exec(SEARCH_TABLES);
		expect(createSearchIndex(db).find({ words: 'word '.repeat(20_000), limit: 1 })).toEqual([]);
	});
});
