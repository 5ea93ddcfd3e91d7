// The pictures of the README are there, and small enough for a repository.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = 'docs/pictures';
const MOST_BYTES = 600_000;

describe('pictures of the README', () => {
	const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
	const shown = [...new Set([...readme.matchAll(/docs\/pictures\/([\w-]+\.\w+)/g)].map(([, name]) => name ?? ''))];
	const pngs = shown.filter((name) => name.endsWith('.png'));

	it('exist, and each of the page is shown in light and dark', () => {
		expect(readdirSync(join(ROOT, FOLDER))).toEqual(expect.arrayContaining(shown));
		expect(pngs.length).toBeGreaterThan(0);
		for (const name of pngs)
			expect(pngs).toContain(name.replace(/light|dark/, (theme) => (theme === 'light' ? 'dark' : 'light')));
	});

	it('are PNG files of at most 600 KB together', () => {
		const sizes = readdirSync(join(ROOT, FOLDER)).flatMap((name) => {
			if (!name.endsWith('.png')) return [];
			expect(readFileSync(join(ROOT, FOLDER, name)).toString('latin1', 1, 4)).toBe('PNG');
			return [statSync(join(ROOT, FOLDER, name)).size];
		});
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
	});
});
