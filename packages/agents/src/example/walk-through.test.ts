import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/adding-an-agent.md'), 'utf8');
const BLOCK = /<!-- (\S+) -->\n```ts\n([\s\S]*?)```/g;

describe('guide to adding an agent', () => {
	it('shows code that matches the example sources', () => {
		const blocks = [...PAGE.matchAll(BLOCK)];
		expect(blocks.length).toBe(PAGE.split('```ts').length - 1);
		expect(blocks.length).toBeGreaterThan(5);
		for (const [, file = '', code = ''] of blocks) expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain(code);
	});
});
