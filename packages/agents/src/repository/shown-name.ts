// Names chosen by a repository, sanitised and shortened for messages.
import { sanitiseLine } from '@roost/core/display/sanitise';

const LONGEST = 80;
const MOST_NAMES = 10;

export function shownName(name: string, longest = LONGEST): string {
	const line = sanitiseLine(name.slice(0, longest));
	return name.length > longest ? `${line}…` : line;
}

export function shownNames(names: readonly string[]): string {
	const shown = names.slice(0, MOST_NAMES).map((name) => shownName(name));
	return names.length > MOST_NAMES ? `${shown.join(', ')} and ${names.length - MOST_NAMES} more` : shown.join(', ');
}
