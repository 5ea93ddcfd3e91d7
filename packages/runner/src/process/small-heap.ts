// A runner lives for days beside its user's work, so it collects garbage early instead of letting it lie.
import { setFlagsFromString } from 'node:v8';

/** Where memory is plentiful V8 lets a heap grow to several times of what is in use; this keeps it near that. */
export function keepHeapSmall(): void {
	setFlagsFromString('--optimize-for-size');
}
