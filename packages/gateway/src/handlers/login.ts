// Devices and their logins: a link registers the key of a browser, and a signed challenge gets a bearer for some minutes.
import { type Device, isProgramOrigin } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import type { Awaitable } from '@roost/protocol/contract/operation';
import type { DeviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Attempts } from '../access/attempts.ts';
import type { Caller } from '../access/caller.ts';
import type { Logins, Tickets } from '../access/secrets.ts';
import { verifySignature } from '../access/verify-signature.ts';
import type { ApiHandlers } from '../operations/api.ts';
import type { DeviceBook, PushBook } from '../operations/backend.ts';

export type LoginDeps = {
	devices: DeviceBook;
	logins: Logins;
	attempts: Attempts;
	/** Who made the link with this ticket, once. */
	redeem(ticket: string): Awaitable<Result<{ by: Principal } | undefined>>;
	challenges: Pick<Tickets<Challenged>, 'issue' | 'redeem'>;
};

export type Challenged = { device: DeviceId; origin: string };

/** In the fragment, which browsers do not send. */
export function linkPath(ticket: string): string {
	return `/#ticket=${ticket}`;
}

export function loginHandlers(deps: LoginDeps): Omit<ApiHandlers['login'], 'ticket'> {
	const { devices, logins, attempts, challenges } = deps;

	function refusal({ address }: Caller, message: string): AppError {
		if (attempts.wrong(address)) return new AppError('unauthorized', message);
		return new AppError('rate_limited', 'Too many wrong credentials. Retry in a minute.');
	}

	return {
		async register({ ticket, signature, ...body }, { caller }) {
			const { origin } = caller;
			if (origin === undefined) return err(noOrigin());
			const signed = { purpose: 'register', origin, subject: body.publicKey, challenge: ticket } as const;
			const link = await deps.redeem(ticket);
			if (!link.ok) return link;
			const isOwnKey = verifySignature(body.publicKey, signed, signature);
			if (!link.value || !isOwnKey) return err(refusal(caller, 'This link was already used or has expired.'));
			const device = await devices.register({ ...body, origin }, link.value.by);
			return device.ok ? ok({ device: device.value, login: logins.issue(device.value.id) }) : device;
		},
		challenge({ deviceId }, { caller }) {
			const known = devices.find(deviceId);
			const origin = placeOf(caller, known);
			if (origin === undefined) return err(noOrigin());
			if (known?.origin !== origin) return err(refusal(caller, 'This device is not registered here, or was revoked.'));
			const { ticket: challenge, expiresAt } = challenges.issue({ device: known.id, origin });
			return ok({ challenge, expiresAt });
		},
		bearer({ deviceId, challenge, signature }, { caller }) {
			const known = devices.find(deviceId);
			const origin = placeOf(caller, known);
			if (origin === undefined) return err(noOrigin());
			const issued = challenges.redeem(challenge);
			const signed = { purpose: 'login', origin, subject: deviceId, challenge } as const;
			const isFor = issued?.device === deviceId && issued.origin === origin;
			if (!isFor || !known || !verifySignature(known.publicKey, signed, signature)) {
				return err(refusal(caller, 'The challenge was not answered by this device in time.'));
			}
			devices.noteSeen(deviceId);
			return ok(logins.issue(deviceId));
		},
	};
}

/** Where the key of the caller is valid: a program has no origin of its own. */
function placeOf({ origin }: Caller, known: Pick<Device, 'origin'> | undefined): string | undefined {
	return origin ?? (known && isProgramOrigin(known.origin) ? known.origin : undefined);
}

function noOrigin(): AppError {
	return new AppError('denied', 'Only a page of Roost can do this: the request has no Origin.');
}

type DeviceDeps = Pick<LoginDeps, 'devices' | 'logins'> & {
	links: Pick<Tickets<unknown>, 'forget'>;
	push: Pick<PushBook, 'forget'>;
};

export function deviceHandlers({ devices, logins, links, push }: DeviceDeps): ApiHandlers['devices'] {
	/** Its bearers, sockets and notifications end at once, even if the revocation cannot be recorded. */
	function revoke(id: DeviceId, by: Principal): Promise<Result<void>> {
		const revoking = devices.revoke(id, by);
		logins.end(id);
		push.forget(id);
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
