// What is not secret stays readable: how many ordinary lines are touched by mistake, and that searching stays linear.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readOrdinaryText } from '@roost/testkit/corpora/ordinary-text';
import { describe, expect, it } from 'vitest';
import { COMMAND_SHAPES } from './command-secrets.ts';
import { PLACED_SHAPES } from './placed-secrets.ts';
import { createRedactor } from './redact.ts';

const { redact } = createRedactor((text) => createHash('sha256').update(text).digest('hex'));

describe('ordinary text', () => {
	it('is left as it is: fewer than 1 % of each kind of line, and of all of them', async ({ annotate }) => {
		const groups = readOrdinaryText(join(import.meta.dirname, '../../../..', 'packages'));
		const counts = groups.map(({ name, lines }) => ({
			name,
			lines: lines.length,
			touched: lines.filter((line) => redact(line).redactions.length > 0),
		}));
		const all = counts.reduce((sum, { lines }) => sum + lines, 0);
		const touched = counts.flatMap((group) => group.touched);
		await annotate(
			`ordinary text: ${touched.length} of ${all} lines redacted by mistake (${((100 * touched.length) / all).toFixed(3)} %)`,
		);
		for (const group of counts) expect(group.touched.length / group.lines, group.touched.join('\n')).toBeLessThanOrEqual(0.01);
		expect(all).toBeGreaterThan(10_000);
	});

	it('is left as it is in one piece too', () => {
		const code = readOrdinaryText(join(import.meta.dirname, '../../../..', 'packages')).find(({ name }) => name === 'code');
		const text = code?.lines.join('\n') ?? '';
		expect(redact(text).redactions.length / (code?.lines.length ?? 1)).toBeLessThanOrEqual(0.01);
	});
});

describe('searching', () => {
	it('has no quantifier without a bound', () => {
		for (const { source } of [...PLACED_SHAPES, ...COMMAND_SHAPES]) {
			const plain = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
			expect(plain, source).not.toMatch(/[+*]|\{\d+,\}/);
		}
	});

	it('hashes each secret once, however long the text: eight times the text is eight times the work', () => {
		const count = (times: number) => {
			let hashed = 0;
			const { redact: counting } = createRedactor((text) => {
				hashed += text.length;
				return '0123abcd';
			});
			counting(`curl -u a:${'b'.repeat(20)} https://x.example/?token=${'c1'.repeat(12)}\n`.repeat(1000 * times));
			return hashed;
		};
		expect(count(8)).toBe(8 * count(1));
	});
});
