// Redaction: small events against JSON.parse of the same events, and the cost per byte of a long text against a short one.
import { createHash } from 'node:crypto';
import { createRedactor } from '@roost/core/redaction/redact';
import type { BenchRow } from './bench-row.ts';

const EVENTS = 10_000;
const MEGABYTE = 1_000_000;
const ROUNDS = 5;

export async function run(): Promise<BenchRow[]> {
	const { redact } = createRedactor((text) => createHash('sha256').update(text).digest('hex'));
	const events = Array.from({ length: EVENTS }, (_, index) => eventAt(index));
	const lines = events.map((event) => JSON.stringify(event));
	const text = lines.join('\n').slice(0, MEGABYTE);
	const long = text.repeat(8);
	const parse = EVENTS / best(() => lines.forEach((line) => void JSON.parse(line)));
	const small = EVENTS / best(() => events.forEach((event) => void redact(event)));
	const short = MEGABYTE / best(() => redact(text));
	const whole = (8 * MEGABYTE) / best(() => redact(long));
	return [
		toRow('redaction of small events', 'JSON.parse of the same events', parse, small, 'events/s', 0.1),
		toRow('redaction of 8 MB', 'the same text of 1 MB', short, whole, 'bytes/s', 0.7),
	];
}

function toRow(bar: string, floor: string, floorValue: number, value: number, unit: string, atLeast: number): BenchRow {
	const ratio = value / floorValue;
	return { bar, floor, floorValue, value, unit, ratio, target: `≥ ${atLeast}x`, met: ratio >= atLeast };
}

/** Seconds. */
function best(work: () => void): number {
	const times = Array.from({ length: ROUNDS }, () => {
		const start = performance.now();
		work();
		return (performance.now() - start) / 1000;
	});
	return Math.min(...times);
}

function eventAt(index: number) {
	const filler = 'All work and no play makes a dull log. '.repeat(15);
	const input =
		index % 2
			? { command: `npm test -- part-${index}`, description: filler }
			: { file_path: `/p/file-${index}.ts`, content: filler };
	return { id: `request-${index}`, session_id: '8e6b1e09-1cc7-4950-8a4b-928fb21d40ca', tool_name: 'Bash', tool_input: input };
}
