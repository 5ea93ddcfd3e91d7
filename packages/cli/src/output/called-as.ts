// The name this program was called by, for sentences that suggest what to type next.
import { basename } from 'node:path';

export function calledAs(argv0 = process.argv0): string {
	return basename(argv0) === 'roost' ? argv0 : 'roost';
}
