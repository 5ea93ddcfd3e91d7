// This browser as a device: registers with the ticket of a link, and logs in with its key. The bearer is kept in memory only.
import {
	bearerIssued,
	challengeIssued,
	device as deviceSchema,
	socketTicketIssued,
	toSignedText,
} from '@roost/protocol/api/devices';
import { wireError } from '@roost/protocol/app-error';
import { API } from '@roost/protocol/contract/operation';
import type { z } from 'zod';
import { exportPublicKey, forgetDevice, keepDevice, makeKeys, readDevice, sign } from './keys.ts';
import { nameOfBrowser } from './name-of-browser.ts';

export type Device = {
	/** Registers this browser. Resolves with the error message, if any. */
	register(ticket: string): Promise<string | undefined>;
	/** The current bearer; undefined if this browser is not registered, or was revoked. */
	bearer(): Promise<string | undefined>;
	/** After a 401: the next bearer is a new one. */
	forgetBearer(): void;
	/** A one-time ticket for a socket. */
	socketTicket(path: string): Promise<string | undefined>;
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
			const reply = await post('/devices', body, deviceSchema);
			if (!reply.ok) return reply.message;
			await keepDevice({ id: reply.value.id, privateKey, publicKey });
			return undefined;
		},
		bearer,
		forgetBearer() {
			current = undefined;
		},
		async socketTicket(path) {
			const secret = await bearer();
			const reply = secret === undefined ? undefined : await post('/socket-tickets', { path }, socketTicketIssued, secret);
			return reply?.ok ? reply.value.ticket : undefined;
		},
		async logOut() {
			const own = await readDevice();
			const secret = await bearer();
			if (own && secret) await send(`/devices/${own.id}`, { method: 'DELETE' }, secret);
			current = undefined;
			await forgetDevice();
		},
	};
}

async function renew(): Promise<z.infer<typeof bearerIssued> | undefined> {
	const own = await readDevice();
	if (!own) return undefined;
	const issued = await post('/challenges', { deviceId: own.id }, challengeIssued);
	if (!issued.ok) return undefined;
	const { challenge } = issued.value;
	const signature = await sign(own.privateKey, toSignedText({ purpose: 'login', origin, subject: own.id, challenge }));
	const reply = await post('/bearers', { deviceId: own.id, challenge, signature }, bearerIssued);
	return reply.ok ? reply.value : undefined;
}

type Posted<T> = { ok: true; value: T } | { ok: false; message: string };

async function post<T>(path: string, body: object, schema: z.ZodType<T>, secret?: string): Promise<Posted<T>> {
	const headers = { 'content-type': 'application/json' };
	const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) }, secret);
	const json: unknown = await response.json();
	if (response.ok) return { ok: true, value: schema.parse(json) };
	return { ok: false, message: wireError.safeParse(json).data?.message ?? `The runner answered with ${response.status}.` };
}

function send(path: string, init: RequestInit, secret?: string): Promise<Response> {
	const headers = { ...init.headers, ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }) };
	return fetch(`${API}${path}`, { ...init, headers, credentials: 'omit' });
}
