// What Roost can do with each agent, as the conformance run found it with the real programs: read, never typed by hand.
import { readFileSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';
import { z } from 'zod';
// Imported, so that it lies beside what is built from this too.
import recorded from './matrix.json' with { type: 'json' };

const cell = z.object({
	outcome: z.enum(['pass', 'unsupported', 'fail']),
	/** Why it is not supported, or what failed. */
	reason: z.string().min(1).optional(),
});
export type CellOutcome = z.infer<typeof cell>;

const matrix = z.object({
	/** What is asked of every agent, in the order in which it is shown. */
	columns: z.array(z.object({ id: z.string(), title: z.string() })).default([]),
	agents: z.record(
		z.string(),
		z.object({ title: z.string().default(''), version: z.string().min(1), cells: z.record(z.string(), cell) }),
	),
});

export type Matrix = z.infer<typeof matrix>;

/** Where the conformance run writes it. */
export const MATRIX_PLACE = new URL('./matrix.json', import.meta.url);

/** Of an agent that is not in it nothing is proven; a matrix that cannot be read as one is a bug. */
export function readMatrix(place?: URL): Matrix {
	if (!place) return matrix.parse(recorded);
	const text = readIfThere(place);
	return text === undefined ? { columns: [], agents: {} } : matrix.parse(JSON.parse(text));
}

function readIfThere(place: URL): string | undefined {
	try {
		return readFileSync(place, 'utf8');
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return undefined;
		throw cause;
	}
}
