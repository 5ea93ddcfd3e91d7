// Why the runner is not heard, in words that say what to do.
import type { StreamStatus } from '../connection.ts';

/** What is known of the runner besides its silence. */
export type RunnerState = {
	/** `ended`: in order, and by somebody's wish. */
	state(): 'up' | 'ended' | 'killed';
	/** Why one that was killed could not be started again. */
	problem(): string | null;
};

export function explainConnection(status: StreamStatus, runner: RunnerState): StreamStatus {
	if (status.state === 'live' || status.state === 'incompatible') return status;
	const reason = runner.problem() ?? REASONS[runner.state()] ?? status.reason;
	return reason === undefined ? status : { ...status, reason };
}

const REASONS = {
	up: undefined,
	ended: 'it was ended; start it with "roost up"',
	killed: 'it was killed; starting it again',
} as const;
