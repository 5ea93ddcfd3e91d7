// A runner that is not connected to its hub: since when, in words.

export type Away = {
	/** The name of the runner. */
	readonly runner: string;
	/** When it was last seen. */
	readonly since: number;
};

/** `offline since 14:02`, with the day if that was not today. */
export function awayWords({ since }: Pick<Away, 'since'>, now: number): string {
	return `offline since ${clockWords(since, now)}`;
}

/** A time of day, and the day if it is another one. */
export function clockWords(at: number, now: number): string {
	const date = new Date(at);
	const time = date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
	if (date.toDateString() === new Date(now).toDateString()) return time;
	return `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`;
}
