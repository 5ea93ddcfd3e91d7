// What a face showed of a request when it was answered: a hub that shows another input gets no valid answer.
import type { Ask } from '@roost/protocol/ask';
import { canonicalJson } from '../rules/canonical-json.ts';

/** Its SHA-256 as hex is the `shown` of an answer. The input is the redacted one of the ask, which every face has. */
export function toShownText({ tool, input }: Pick<Ask, 'tool' | 'input'>): string {
	return `roost-shown-1\n${canonicalJson({ tool, input })}`;
}
