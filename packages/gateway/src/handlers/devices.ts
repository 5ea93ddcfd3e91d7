// The devices that may act for the user: listed, and revoked one by one or all at once.
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import type { DeviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { ApiHandlers } from '../operations/api.ts';
import type { LoginDeps } from './login.ts';

export function deviceHandlers({
	devices,
	logins,
	links,
}: Pick<LoginDeps, 'devices' | 'logins' | 'links'>): ApiHandlers['devices'] {
	/** Its bearers and sockets end at once, even if the revocation cannot be recorded. */
	function revoke(id: DeviceId, by: Principal): Promise<Result<void>> {
		const revoking = devices.revoke(id, by);
		logins.end(id);
		return revoking;
	}

	return {
		list: () => ok(devices.list()),
		revoke: ({ id }, { by }) => (devices.find(id) ? revoke(id, by) : err(notFound(id))),
		async revokeAll(_, { by }) {
			links.forget();
			const results = await Promise.all(devices.list().map(({ id }) => revoke(id, by)));
			for (const result of results) if (!result.ok) return result;
			return ok({ revoked: results.length });
		},
	};
}

function notFound(id: DeviceId): AppError {
	return new AppError('not_found', `Device "${id}" not found. Run "roost devices" to list devices.`);
}
