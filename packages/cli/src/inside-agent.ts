// An agent must not decide for its user: it runs as the same user, but its environment says what it is.
import { AppError } from '@roost/protocol/app-error';

/** The refusal, where this command was started by an agent that Roost governs. */
export function refuseInsideAgent(env: NodeJS.ProcessEnv): AppError | null {
	if (!env.ROOST_SESSION) return null;
	return new AppError(
		'unauthorized',
		'People decide that: this terminal belongs to an agent that Roost governs. Use another one.',
	);
}
