// The day of a time in the time zone of this machine, as `YYYY-MM-DD`.
export function toLocalDay(ts: number): string {
	const date = new Date(ts);
	const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
	return parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-');
}
