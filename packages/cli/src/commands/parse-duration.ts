// A duration as people type it: 90s, 30m, 8h, 7d.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { newRuleDuration } from '@roost/protocol/rule';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** In milliseconds. */
export function parseDuration(text: string, option: string): Result<number> {
	const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	const duration = newRuleDuration.safeParse(Number(count) * (UNITS[unit as keyof typeof UNITS] ?? Number.NaN));
	if (duration.success) return ok(duration.data);
	return err(new AppError('usage', `${option} takes a duration such as 30m, 8h or 7d, up to a year; it was "${text}".`));
}
