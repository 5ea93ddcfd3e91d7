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

	async function askTicket(path: string) {
		const secret = await bearer();
		return secret === undefined ? undefined : await post('/socket-tickets', { path }, socketTicketIssued, secret);
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
			const first = await askTicket(path);
			// A bearer of an earlier runner is invalid: the second try has a new one.
			if (first?.ok === false && first.isRefused) current = undefined;
			const reply = first?.ok === false && first.isRefused ? await askTicket(path) : first;
			return reply === undefined ? undefined : unlessRefused(reply)?.ticket;
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
	const issued = unlessRefused(await post('/challenges', { deviceId: own.id }, challengeIssued));
	if (!issued) return undefined;
	const { challenge } = issued;
	const signature = await sign(own.privateKey, toSignedText({ purpose: 'login', origin, subject: own.id, challenge }));
	return unlessRefused(await post('/bearers', { deviceId: own.id, challenge, signature }, bearerIssued));
}

type Posted<T> = { ok: true; value: T } | { ok: false; isRefused: boolean; message: string };

/** Undefined if the device is not known. Every other failure passes, so it throws and is retried. */
function unlessRefused<T>(reply: Posted<T>): T | undefined {
	if (reply.ok) return reply.value;
	if (reply.isRefused) return undefined;
	throw new Error(reply.message);
}

async function post<T>(path: string, body: object, schema: z.ZodType<T>, secret?: string): Promise<Posted<T>> {
	const headers = { 'content-type': 'application/json' };
	const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) }, secret);
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
