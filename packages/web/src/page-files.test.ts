// The page as it is built: what the policy and the budget require of its files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_FOLDER } from '@roost/core/process/program-files';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const BUDGET_BYTES = 130 * 1_024;

describe('page as it is built', () => {
	it('needs at most 130 KB of compressed scripts before the first request is shown', () => {
		const index = readFileSync(join(ROOT, PAGE_FOLDER, 'index.html'), 'utf8');
		const scripts = [...index.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '');
		expect(scripts.length).toBeGreaterThan(0);
		const sizes = scripts.map((path) => readFileSync(join(ROOT, PAGE_FOLDER, `${path}.gz`)).length);
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
	});

	it('makes no HTML from data', () => {
		const sources = readdirSync(join(ROOT, 'packages/web/src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
			/(?<!\.test)\.tsx?$/.test(name),
		);
		expect(sources.length).toBeGreaterThan(20);
		for (const name of sources) {
			const text = readFileSync(join(ROOT, 'packages/web/src', name), 'utf8');
			expect
				.soft(text, name)
				.not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|cookie|sessionStorage/);
		}
	});
});
