// What no guarded agent may run, for the agents' own rules: they stand where the guard cannot be asked, and know only first words.
import { rightsOf } from './table.ts';

const NOBODY = [
	['git', 'push'],
	['git', 'reset'],
] as const;
const NO_READER = [['rm'], ['git', 'commit']] as const;

/** Each as the first words of a command. */
export function staticDenials(capability: string): readonly (readonly string[])[] {
	return rightsOf(capability).writes ? NOBODY : [...NOBODY, ...NO_READER];
}
