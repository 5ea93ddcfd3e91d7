import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { putTable, readMatrix, renderMatrix } from './matrix.ts';

const ROOT = join(import.meta.dirname, '../../../..');

describe('rendered agent matrix', () => {
	it('shows each outcome and lists every reason once', () => {
		const why = { outcome: 'unsupported', reason: 'it cannot' } as const;
		const table = renderMatrix({
			columns: [
				{ id: 'start', title: 'starts' },
				{ id: 'fork', title: 'fork' },
				{ id: 'edit', title: 'edit' },
			],
			agents: {
				one: { title: 'One', version: '1.0', cells: { start: { outcome: 'pass' }, fork: why, edit: why } },
				two: { title: 'Two', version: '2.0', cells: { start: { outcome: 'fail', reason: 'it broke' } } },
			},
		});
		expect(table.split('\n')).toEqual([
			'|  | One 1.0 | Two 2.0 |',
			'|---|---|---|',
			'| starts | yes | broken [1] |',
			'| fork | no [2] | ? |',
			'| edit | no [2] | ? |',
			'',
			'1. it broke',
			'2. it cannot',
		]);
	});

	it('matches the table in docs/agents.md', () => {
		const page = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
		expect(page).toBe(putTable(page, renderMatrix(readMatrix())));
	});

	it('contains no failed cell', () => {
		const outcomes = Object.values(readMatrix().agents).flatMap(({ cells }) => Object.values(cells));
		expect(outcomes.length).toBeGreaterThan(0);
		expect(outcomes.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
	});
});
