// The page as it is built: what the policy and the budget require of its files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_FOLDER } from '@roost/core/process/program-files';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const BUDGET_BYTES = 90 * 1_024;

/** Words that only these parts contain: each is loaded by the page that needs it. */
const LATER = [/xterm-helper-textarea/, /u-legend/, /tokenizeLine2/, /No changes since/] as const;

/** Addresses that are names, and are never requested: of formats, and an example of ours. */
const NAMES = /^https?:\/\/(?:www\.w3\.org\/|json-schema\.org\/|mcp\.example\.com\/|\[\$\{)/;

describe('page as it is built', () => {
	const page = readPage();

	it('needs at most 90 KB of compressed scripts before the first request is shown', () => {
		expect(page.first.length).toBeGreaterThan(0);
		const sizes = page.first.map((name) => compressedSize(name));
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
	});

	it.each(LATER)('loads the terminal, charts, highlighting and changes only when they are opened: %s', (words) => {
		const holders = [...page.files].flatMap(([name, text]) => (name.endsWith('.js') && words.test(text) ? [name] : []));
		expect(holders).not.toEqual([]);
		expect(page.first.filter((name) => holders.includes(name))).toEqual([]);
	});

	it('names no address outside of its own origin', () => {
		const named = [...page.files].flatMap(([name, text]) =>
			[...text.matchAll(/\b(?:https?|wss?):\/\/[^\s"'`<>)]+/g)].flatMap(([url]) => (NAMES.test(url) ? [] : [`${name}: ${url}`])),
		);
		expect(named).toEqual([]);
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

/** All files that the page can load, by name, and the scripts that it loads before it shows anything. */
function readPage(): { files: ReadonlyMap<string, string>; first: readonly string[] } {
	const files = new Map<string, string>();
	const visit = (name: string): void => {
		if (files.has(name)) return;
		const text = readFileSync(join(ROOT, PAGE_FOLDER, name), 'utf8');
		files.set(name, text);
		for (const [found] of text.matchAll(/[\w.-]+-[\w-]{8}\.(?:js|css)/g)) {
			if (existsSync(join(ROOT, PAGE_FOLDER, 'assets', found))) visit(`assets/${found}`);
		}
	};
	visit('index.html');
	const entries = [...(files.get('index.html') ?? '').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
		([, name]) => name ?? '',
	);
	return { files, first: withStaticImports(entries, files) };
}

function withStaticImports(entries: readonly string[], files: ReadonlyMap<string, string>): string[] {
	const first = new Set<string>();
	const visit = (name: string): void => {
		if (first.has(name)) return;
		first.add(name);
		const imports = (files.get(name) ?? '').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g);
		for (const [, imported] of imports) visit(`assets/${imported}`);
	};
	for (const name of entries) visit(name);
	return [...first];
}

/** Small files are served as they are. */
function compressedSize(name: string): number {
	const path = join(ROOT, PAGE_FOLDER, name);
	return readFileSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).length;
}
