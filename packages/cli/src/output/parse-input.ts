// Values that users type: IDs and names, JSON objects, durations.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { newRuleDuration } from '@roost/protocol/rule';

export function pickOne<T>(all: readonly T[], given: string, wordsOf: (item: T) => readonly string[], what: string): Result<T> {
	const exact = all.filter((item) => wordsOf(item).includes(given));
	const found = exact.length > 0 ? exact : all.filter((item) => wordsOf(item).some((word) => word.startsWith(given)));
	const [one, ...more] = found;
	if (one === undefined) return err(new AppError('not_found', `No ${what} "${given}" found.`));
	if (more.length === 0) return ok(one);
	const ids = found.slice(0, 5).map((item) => wordsOf(item)[0]);
	return err(new AppError('usage', `"${given}" matches several: ${ids.join(', ')}. Use more of the ID.`));
}

export function parseObject(text: string, takes: string): Result<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok({ ...value });
	} catch {
		// Reported below, like JSON that is no object.
	}
	return err(new AppError('usage', takes));
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** In milliseconds. */
export function parseDuration(text: string, option: string): Result<number> {
	const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	const duration = newRuleDuration.safeParse(Number(count) * (UNITS[unit as keyof typeof UNITS] ?? Number.NaN));
	if (duration.success) return ok(duration.data);
	return err(new AppError('usage', `${option} takes a duration such as 30m, 8h or 7d, up to a year; it was "${text}".`));
}
