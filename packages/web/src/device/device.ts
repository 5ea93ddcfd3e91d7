// This browser as a device: registers with the ticket of a link, and logs in with its key. The bearer is kept in memory only.
import { bearerIssued, deviceRegistered } from '@roost/protocol/api/devices';
import { toSignedText } from '@roost/protocol/api/signed-text';
import { wireError } from '@roost/protocol/app-error';
import { API } from '@roost/protocol/contract/api-path';
import type { z } from 'zod';
import { exportPublicKey, forgetDevice, keepDevice, makeKeys, readDevice, sign } from './keys.ts';
import { forgetRemembered, logIn, rememberDevice } from './login.ts';
import { nameOfBrowser } from './name-of-browser.ts';

export type Device = {
	/** Registers this browser. Resolves with the error message, if any. */
	register(ticket: string): Promise<string | undefined>;
	/** The current bearer; undefined if this browser is not registered, or was revoked. */
	bearer(): Promise<string | undefined>;
	/** After a 401: the next bearer is a new one. */
	forgetBearer(): void;
	logOut(): Promise<void>;
};

const RENEW_BEFORE_MS = 30_000;
const { origin } = location;

export function createDevice(): Device {
	let current: z.infer<typeof bearerIssued> | undefined;
	let renewing: Promise<typeof current> | undefined;

	async function bearer(): Promise<string | undefined> {
		if (current && Date.now() < current.expiresAt - RENEW_BEFORE_MS) return current.bearer;
		renewing ??= renew().finally(() => {
			renewing = undefined;
		});
		current = await renewing;
		return current?.bearer;
	}

	return {
		async register(ticket) {
			const { privateKey, publicKey } = (await readDevice()) ?? (await makeKeys());
			const raw = await exportPublicKey(publicKey);
			const signature = await sign(privateKey, toSignedText({ purpose: 'register', origin, subject: raw, challenge: ticket }));
			const body = { ticket, name: nameOfBrowser(navigator.userAgent), publicKey: raw, signature };
			const reply = await post('/devices', body, deviceRegistered);
			if (!reply.ok) return reply.message;
			current = reply.value.login;
			await keepDevice({ id: reply.value.device.id, privateKey, publicKey });
			rememberDevice(reply.value.device.id);
			return undefined;
		},
		bearer,
		forgetBearer() {
			current = undefined;
		},
		async logOut() {
			const secret = await bearer();
			current = undefined;
			// Nothing logs in until the outcome is known: the device may be gone before the reply is here.
			renewing = leave(secret).finally(() => {
				renewing = undefined;
			});
			await renewing;
		},
	};
}

async function leave(secret: string | undefined): Promise<undefined> {
	const own = await readDevice();
	if (own && secret) await send(`/devices/${own.id}`, { method: 'DELETE' }, secret);
	forgetRemembered();
	await forgetDevice();
}

async function renew(): Promise<z.infer<typeof bearerIssued> | undefined> {
	const replied = await logIn();
	return replied && unlessRefused(await readPosted(replied, bearerIssued));
}

type Posted<T> = { ok: true; value: T } | { ok: false; isRefused: boolean; message: string };

/** Undefined if the device is not known. Every other failure passes, so it throws and is retried. */
function unlessRefused<T>(reply: Posted<T>): T | undefined {
	if (reply.ok) return reply.value;
	if (reply.isRefused) return undefined;
	throw new Error(reply.message);
}

async function post<T>(path: string, body: object, schema: z.ZodType<T>): Promise<Posted<T>> {
	const headers = { 'content-type': 'application/json' };
	return await readPosted(await send(path, { method: 'POST', headers, body: JSON.stringify(body) }), schema);
}

async function readPosted<T>(response: Response, schema: z.ZodType<T>): Promise<Posted<T>> {
	const json: unknown = await response.json();
	if (response.ok) return { ok: true, value: schema.parse(json) };
	const isRefused = response.status === 401 || response.status === 403;
	return {
		ok: false,
		isRefused,
		message: wireError.safeParse(json).data?.message ?? `The runner answered with ${response.status}.`,
	};
}

function send(path: string, init: RequestInit, secret?: string): Promise<Response> {
	const headers = { ...init.headers, ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }) };
	return fetch(`${API}${path}`, { ...init, headers, credentials: 'omit' });
}
