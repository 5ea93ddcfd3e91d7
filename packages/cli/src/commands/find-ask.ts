// Finds an ask by its ID, or by a unique beginning or end of the ID of a pending ask.
import type { ApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { err, ok, type Result } from '@roost/protocol/result';

export async function findAsk(api: ApiClient, given: string): Promise<Result<AskRow>> {
	const listed = await api.asks.list({ all: true });
	if (!listed.ok) return listed;
	const fitting = matchAsks(listed.value, given);
	const [only] = fitting;
	if (only && fitting.length === 1) return ok(only);
	return err(
		only ? new AppError('not_found', `${fitting.length} requests match "${given}". Use the whole ID.`) : noSuchAsk(given),
	);
}

/** Those with this id, else pending ones with a part of it. */
export function matchAsks<Ask extends AskRow>(asks: readonly Ask[], given: string): Ask[] {
	const exact = asks.filter(({ id }) => id === given);
	if (exact.length > 0) return exact;
	return asks.filter(({ id, state }) => state === 'pending' && (id.startsWith(given) || id.endsWith(given)));
}

export function noSuchAsk(given: string): AppError {
	return new AppError('not_found', `Request "${given}" not found. Run "roost asks" to list pending requests.`);
}
