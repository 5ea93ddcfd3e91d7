// A point in time for people, by the clock of this machine.

/** `14:02`; with the day where that is another one. */
export function clockTime(at: number, now: number): string {
	const date = new Date(at);
	const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
	return dayOf(date) === dayOf(new Date(now)) ? time : `${dayOf(date)} ${time}`;
}

function dayOf(date: Date): string {
	return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
}

function two(part: number): string {
	return String(part).padStart(2, '0');
}
