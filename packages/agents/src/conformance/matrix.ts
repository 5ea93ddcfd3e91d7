// What Roost can do with each agent, as the conformance run found it with the real programs: read, never typed by hand.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const cell = z.object({
	outcome: z.enum(['pass', 'unsupported', 'fail']),
	/** Why it is not supported, or what failed. */
	reason: z.string().min(1).optional(),
});

const matrix = z.object({
	agents: z.record(z.string(), z.object({ version: z.string().min(1), cells: z.record(z.string(), cell) })),
});

export type Matrix = z.infer<typeof matrix>;

/** It lies with the source, also beside what was built from it. */
const PLACE = new URL('../../src/conformance/matrix.json', import.meta.url);

/** Of an agent that is not in it nothing is proven; a matrix that cannot be read as one is a bug. */
export function readMatrix(place: URL = PLACE): Matrix {
	const text = readIfThere(place);
	return text === undefined ? { agents: {} } : matrix.parse(JSON.parse(text));
}

function readIfThere(place: URL): string | undefined {
	try {
		return readFileSync(place, 'utf8');
	} catch (cause) {
		if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
		throw cause;
	}
}
