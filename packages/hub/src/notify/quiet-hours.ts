// Hours without notifications, by the clock on the wall of a time zone.

export type QuietHours = { quietHours?: string | undefined; timeZone?: string | undefined };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** When they end; undefined outside of them. If a clock is changed before that, they may end in another hour: ask again then. */
export function quietUntil({ quietHours, timeZone }: QuietHours, at: number): number | undefined {
	if (quietHours === undefined) return undefined;
	const [from = 0, to = 0] = quietHours.split('-').map(toMinutes);
	const now = minutesAt(at, timeZone);
	const isQuiet = from <= to ? now >= from && now < to : now >= from || now < to;
	if (!isQuiet) return undefined;
	const left = (to - now + DAY_MINUTES) % DAY_MINUTES;
	return Math.floor(at / MINUTE_MS + left) * MINUTE_MS;
}

function toMinutes(time: string): number {
	const [hours = 0, minutes = 0] = time.split(':').map(Number);
	return hours * 60 + minutes;
}

function minutesAt(at: number, timeZone: string | undefined): number {
	const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
	return toMinutes(format.format(at));
}
