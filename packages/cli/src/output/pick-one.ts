// The one thing a person means by a word: its id or name, or the beginning of it where that is enough.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export function pickOne<T>(all: readonly T[], given: string, wordsOf: (item: T) => readonly string[], what: string): Result<T> {
	const exact = all.filter((item) => wordsOf(item).includes(given));
	const found = exact.length > 0 ? exact : all.filter((item) => wordsOf(item).some((word) => word.startsWith(given)));
	const [one, ...more] = found;
	if (one === undefined) return err(new AppError('not_found', `There is no ${what} "${given}".`));
	if (more.length === 0) return ok(one);
	const ids = found.slice(0, 5).map((item) => wordsOf(item)[0]);
	return err(new AppError('usage', `"${given}" can mean more than one ${what}: ${ids.join(', ')}. Say more of its id.`));
}
