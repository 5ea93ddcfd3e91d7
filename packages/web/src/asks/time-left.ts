// The time until an agent stops waiting.

const HOUR_MS = 3_600_000;

export function timeLeft(expiresAt: number, now: number): string {
	const left = expiresAt - now;
	if (left <= 0) return 'expired';
	if (left >= HOUR_MS) return `${Math.floor(left / HOUR_MS)} h left`;
	const seconds = Math.ceil(left / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
