// Named values, one below the other: text as it is, everything else as JSON.

import { toJson } from '@roost/core/display/to-json';
import type { Fields } from '@roost/core/display/tools/fields';
import { hanging } from '../parts/wrapped.ts';
import { type Row, rowWidth, span } from '../screen/row.ts';

/** All but those that are shown in another way already. */
export function* fieldRows(fields: Fields, width: number, shown: readonly string[] = []): Generator<Row> {
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || shown.includes(name)) continue;
		const text = typeof value === 'string' ? value : toJson(value);
		const label = [span(`${name}: `, 'faint')];
		yield* text.includes('\n') || rowWidth(label) > width / 2 ? blockRows(name, text, width) : hanging(label, text, width);
	}
}

/** A name as long as it likes must not leave its text without room. */
function* blockRows(name: string, text: string, width: number): Generator<Row> {
	yield* hanging([], `${name}:`, width, 'faint');
	yield* hanging([span('  ')], text, width);
}
