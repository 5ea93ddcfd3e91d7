// A login with the key of this browser. The page starts it before its other scripts are evaluated, which takes a phone a third of a second,
// so this file and its imports are a chunk of their own without schemas.

import { toSignedText } from '@roost/protocol/api/signed-text';
import { API } from '@roost/protocol/contract/api-path';
import { type OwnDevice, readDevice, sign } from './keys.ts';

/** The id of this browser's device, which is no secret: a database is not read soon enough. */
const NAME = 'device';
/** The page may have been frozen since, and a bearer lives for minutes. */
const USABLE_MS = 10_000;

const { promise: sent, resolve: send } = Promise.withResolvers<void>();

/** Resolves once the early login has sent its last request, or there is none. */
export const earlyLoginSent: Promise<void> = sent;

let early = startEarly();

/** The reply with the bearer, or the refusal; undefined if this browser is not registered. */
export function logIn(): Promise<Response | undefined> {
	const taken = performance.now() < USABLE_MS ? early : undefined;
	early = undefined;
	return taken ?? exchange(readRemembered());
}

/** Without it, for example because the storage is full, the next login only starts later. */
export function rememberDevice(id: string): void {
	try {
		if (readRemembered() !== id) localStorage.setItem(NAME, id);
	} catch {
		return;
	}
}

export function forgetRemembered(): void {
	localStorage.removeItem(NAME);
}

/** A link registers this browser, and logs it in as well. */
function startEarly(): Promise<Response | undefined> | undefined {
	const id = location.hash === '' ? readRemembered() : null;
	if (id === null) {
		send();
		return undefined;
	}
	const replied = exchange(id, send);
	// The login that takes it sees a failure.
	replied.catch(send);
	return replied;
}

/** The challenge is requested while the key is read, where the id is known. */
async function exchange(known: string | null, onSent = () => {}): Promise<Response | undefined> {
	const early = known === null ? undefined : post('/challenges', { deviceId: known });
	early?.catch(() => undefined);
	const own = await readDevice();
	if (!own) return undefined;
	rememberDevice(own.id);
	const challenged = await (early && own.id === known ? early : post('/challenges', { deviceId: own.id }));
	if (!challenged.ok) return challenged;
	const issuing = requestBearer(own, challengeIn(await challenged.json()));
	onSent();
	return await issuing;
}

async function requestBearer({ id, privateKey }: OwnDevice, challenge: string): Promise<Response> {
	const text = toSignedText({ purpose: 'login', origin: location.origin, subject: id, challenge });
	return await post('/bearers', { deviceId: id, challenge, signature: await sign(privateKey, text) });
}

function challengeIn(reply: unknown): string {
	if (typeof reply === 'object' && reply !== null && 'challenge' in reply && typeof reply.challenge === 'string')
		return reply.challenge;
	throw new Error('the runner sent no challenge');
}

function post(path: string, body: object): Promise<Response> {
	const headers = { 'content-type': 'application/json' };
	return fetch(`${API}${path}`, { method: 'POST', headers, body: JSON.stringify(body), credentials: 'omit' });
}

/** A browser without storage throws; the login says so later. */
function readRemembered(): string | null {
	try {
		return localStorage.getItem(NAME);
	} catch {
		return null;
	}
}
