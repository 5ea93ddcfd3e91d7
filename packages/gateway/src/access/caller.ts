// The caller of a request: its credential, user and face.
import type { IncomingMessage } from 'node:http';
import { userInfo } from 'node:os';
import { parseJson } from '@roost/core/display/parse-json';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import { ROLES, type Role } from '@roost/protocol/contract/operation';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import { type CommandSeal, commandSeal, SEAL_HEADER } from '@roost/protocol/hub/signed-command';
import type { DeviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';

export type Caller = Credential & {
	principal: Principal;
	/** What it may do. */
	roles: readonly Role[];
	address: string;
	/** An allowed origin, where the request has one. */
	origin: string | undefined;
	/** The signature of a device over this request, for a runner behind a hub. */
	seal?: CommandSeal | undefined;
};

export type Credential =
	| { via: 'token' | 'nobody' }
	| {
			via: 'device';
			device: DeviceId;
			/** Whose device it is, where several people have devices. */
			user?: string | undefined;
			/** A command line; else the page of a browser. */
			isProgram?: boolean | undefined;
	  }
	| ThroughHub;

/** On loopback there is one user, and all of the user's credentials have all roles. */
export const allRoles = (): readonly Role[] => ROLES;

/** Passed on by a hub. A command has an ID that runs it once, and the signature of its device where one was needed. */
export type ThroughHub = { via: 'hub'; commandId?: string | undefined; proof?: CommandProof | undefined };

const FACE = /^[a-z-]{1,20}$/;

export function toCaller(
	request: IncomingMessage,
	credential: Credential,
	{ userName, rolesOf = allRoles }: { userName: string; rolesOf?: ((credential: Credential) => readonly Role[]) | undefined },
): Result<Caller> {
	const named = request.headers['x-roost-face'] ?? 'http';
	if (typeof named !== 'string' || !FACE.test(named)) {
		return err(new AppError('bad_request', 'x-roost-face: expected 1 to 20 of a-z and -.'));
	}
	const seal = readSeal(request.headers[SEAL_HEADER]);
	if (!seal.ok) return seal;
	// The face of a device is known; the header is ignored.
	const face = credential.via === 'device' ? toDeviceFace(credential) : named;
	const name = (credential.via === 'device' ? credential.user : undefined) ?? userName;
	const address = request.socket.remoteAddress ?? '';
	const roles = credential.via === 'nobody' ? [] : rolesOf(credential);
	return ok({ ...credential, principal: { name, face }, roles, address, origin: request.headers.origin, seal: seal.value });
}

/** Verified by the runner that runs the command; here only its form counts. */
function readSeal(header: string | string[] | undefined): Result<CommandSeal | undefined> {
	if (header === undefined) return ok(undefined);
	const seal = commandSeal.safeParse(parseJson(Buffer.from(String(header), 'base64url').toString()));
	if (seal.success) return ok(seal.data);
	return err(new AppError('bad_request', `${SEAL_HEADER}: expected a seal as base64url of its JSON.`));
}

export function toDeviceFace({ device, isProgram = false }: { device: DeviceId; isProgram?: boolean | undefined }): string {
	return `${isProgram ? 'cli' : 'web'}:${device}`;
}

export function osUserName(): string {
	try {
		return userInfo().username || 'user';
	} catch {
		// A user id without an entry in the system's list has no name.
		return 'user';
	}
}
