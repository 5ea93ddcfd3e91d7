// What a session continues, in a few words.
import type { Continued } from '@roost/core/views/continued';

/** The whole of an agent's own id says no more than its beginning. */
const SHORT_ID = 8;

export function continuedWords(from: Continued): string {
	return 'parentId' in from ? `${from.how} from ${from.parentId}` : `resumed from past session ${continuedId(from)}`;
}

export function continuedId(from: Continued): string {
	return 'parentId' in from ? from.parentId : from.nativeId.slice(0, SHORT_ID);
}
