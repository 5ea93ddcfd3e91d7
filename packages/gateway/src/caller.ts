// Who made a request, by which credential, and from which face.
import type { IncomingMessage } from 'node:http';
import { userInfo } from 'node:os';
import { AppError } from '@roost/protocol/app-error';
import type { Principal } from '@roost/protocol/ask';
import { err, ok, type Result } from '@roost/protocol/result';
import type { LoginId } from './logins.ts';

export type Caller = Credential & { principal: Principal; address: string };

export type Credential = { via: 'bearer' | 'nobody' } | { via: 'cookie'; login: LoginId };

const FACE = /^[a-z-]{1,20}$/;

export function toCaller(request: IncomingMessage, credential: Credential, name: string): Result<Caller> {
	const named = request.headers['x-roost-face'];
	// A browser cannot set a header on a WebSocket, and nobody else has a cookie.
	const face = named ?? (credential.via === 'cookie' ? 'web' : 'http');
	if (typeof face !== 'string' || !FACE.test(face)) {
		return err(new AppError('bad_request', 'x-roost-face: expected 1 to 20 of a-z and -.'));
	}
	return ok({ ...credential, principal: { name, face }, address: request.socket.remoteAddress ?? '' });
}

export function osUserName(): string {
	try {
		return userInfo().username || 'user';
	} catch {
		// A user id without an entry in the system's list has no name.
		return 'user';
	}
}
