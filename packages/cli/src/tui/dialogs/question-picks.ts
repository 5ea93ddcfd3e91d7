// The picked answers of one question, with the cursor in the custom answer.
import type { Picks } from '@roost/core/answers/question-picks';
import { EMPTY_FIELD, type TextField } from '../parts/text-field.ts';

export type PicksWithField = { readonly chosen: Picks['chosen']; readonly own: TextField };

export const NO_PICKS: PicksWithField = { chosen: new Set(), own: EMPTY_FIELD };

export function toPicks({ chosen, own }: PicksWithField): Picks {
	return { chosen, own: own.text };
}
