// The time until an agent stops waiting.
import { countdown } from '@roost/core/display/countdown';

const HOUR_MS = 3_600_000;

export function timeLeft(expiresAt: number, now: number): string {
	const left = expiresAt - now;
	if (left <= 0) return 'expired';
	return left >= HOUR_MS ? `${Math.floor(left / HOUR_MS)} h left` : `${countdown(left)} left`;
}
