// The devices that may act for the user: listed, and revoked one by one or all at once.
import { device, devicesRevoked } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import { type DeviceId, deviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { jsonReply, toReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';
import type { LoginDeps } from './login.ts';

const shape = { path: '/api/v1/devices', status: 200, params: nothing, query: nothing, body: noBody } as const;

export function deviceRoutes({ devices, logins, links }: Pick<LoginDeps, 'devices' | 'logins' | 'links'>): Route[] {
	/** Its bearers and sockets end at once, whatever becomes of the record. */
	function revoke(id: DeviceId, by: Principal): Promise<Result<void>> {
		const revoking = devices.revoke(id, by);
		logins.end(id);
		return revoking;
	}

	const list = defineRoute(
		{ ...shape, method: 'GET', access: 'any', summary: 'The devices that may act for the user', reply: z.array(device) },
		() => ok(jsonReply(devices.list())),
	);
	const one = defineRoute(
		{
			...shape,
			method: 'DELETE',
			path: '/api/v1/devices/:id',
			access: 'any',
			summary: 'Revokes a device: ends its bearers and closes its sockets',
			params: z.strictObject({ id: deviceId }),
			reply: nothing,
		},
		async ({ params, caller }) => {
			if (!devices.find(params.id)) return err(notFound(params.id));
			return toReply(await revoke(params.id, caller.principal));
		},
	);
	const all = defineRoute(
		{
			...shape,
			method: 'DELETE',
			access: 'token',
			summary: 'Revokes all devices, and voids links that were not used yet',
			reply: devicesRevoked,
		},
		async ({ caller }) => {
			links.forget();
			const results = await Promise.all(devices.list().map(({ id }) => revoke(id, caller.principal)));
			for (const result of results) if (!result.ok) return result;
			return ok(jsonReply({ revoked: results.length }));
		},
	);
	return [list, one, all];
}

function notFound(id: DeviceId): AppError {
	return new AppError('not_found', `Device "${id}" not found. Run "roost devices" to list devices.`);
}
