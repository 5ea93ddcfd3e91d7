import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guaranteesIn, hasTest, proofsIn } from './proof-links.ts';

const docs = join(import.meta.dirname, '..', 'docs');
const text = readFileSync(join(docs, 'security.md'), 'utf8');

describe('docs/security.md', () => {
	it('names a test for every guarantee', () => {
		const guarantees = guaranteesIn(text);
		expect(guarantees.length).toBeGreaterThan(20);
		expect(guarantees.filter(({ proofs }) => proofs.length === 0).map(({ line }) => line)).toEqual([]);
	});

	it('names only tests that exist', () => {
		const broken = proofsIn(text).filter(({ title, file }) => {
			const path = join(docs, file);
			return !existsSync(path) || !hasTest(readFileSync(path, 'utf8'), title);
		});
		expect(broken).toEqual([]);
	});
});

describe('proof links', () => {
	it('finds a guarantee without a test', () => {
		const table = ['| guarantee | proof |', '|---|---|', '| a | [b](../c.test.ts) |', '| d | trust us |', '', '| x | y |'].join(
			'\n',
		);
		expect(guaranteesIn(table).map(({ proofs }) => proofs.length)).toEqual([1, 0]);
	});

	it('matches a title only as a whole string', () => {
		expect(hasTest("it('refuses a cookie', () => {", 'refuses a cookie')).toBe(true);
		expect(hasTest("it('refuses a cookie twice', () => {", 'refuses a cookie')).toBe(false);
	});
});
