// Time left, in minutes and seconds.

/** "4:50". */
export function countdown(ms: number): string {
	const seconds = Math.ceil(ms / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
