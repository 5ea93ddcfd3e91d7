// Any value as pretty JSON.
import { toJson } from '@roost/core/display/to-json';
import { wrapped } from '../parts/wrapped.ts';
import type { Row } from '../screen/row.ts';

export function* jsonRows(value: unknown, width: number): Generator<Row> {
	yield* wrapped(toJson(value), width, 'code');
}
