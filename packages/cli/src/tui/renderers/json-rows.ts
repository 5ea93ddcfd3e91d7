// Any value as pretty JSON.
import { wrapped } from '../parts/wrapped.ts';
import type { Row } from '../screen/row.ts';

export function* jsonRows(value: unknown, width: number): Generator<Row> {
	yield* wrapped(toJson(value), width, 'code');
}

export function toJson(value: unknown): string {
	return JSON.stringify(value, null, 2) ?? '';
}
