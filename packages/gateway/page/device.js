// This browser as a device: a key that never leaves it, and a short-lived bearer that is kept in memory only.
const RENEW_BEFORE_MS = 30_000;
const KEY_TYPE = { name: 'Ed25519' };

let bearer;
let renewing;

/** The ticket of a link, removed from the address bar and the history. */
export function takeTicket() {
	const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
	if (location.hash !== '') history.replaceState(null, '', location.pathname);
	return ticket ?? undefined;
}

/** Registers this browser as a device. Resolves with the error message, if any. */
export async function register(ticket) {
	const known = await readDevice();
	const { privateKey, publicKey } = known ?? (await crypto.subtle.generateKey(KEY_TYPE, false, ['sign', 'verify']));
	const raw = toBase64Url(await crypto.subtle.exportKey('raw', publicKey));
	const signature = await sign(privateKey, 'register', raw, ticket);
	const reply = await post('/api/v1/devices', { ticket, name: nameOfBrowser(), publicKey: raw, signature });
	if (!reply.ok) return reply.body.message;
	await withStore('readwrite', (store) => store.put({ id: reply.body.id, privateKey, publicKey }, 'own'));
	return undefined;
}

/** A request as this device. Status 401: it is not registered, or was revoked. */
export async function call(path, { method = 'GET', body } = {}) {
	const reply = await send(path, method, body, await findBearer());
	// A bearer of an earlier runner is invalid.
	if (!bearer || (reply.status !== 401 && reply.status !== 429)) return reply;
	bearer = undefined;
	return send(path, method, body, await findBearer());
}

export async function logOut() {
	const device = await readDevice();
	if (device) await call(`/api/v1/devices/${device.id}`, { method: 'DELETE' });
	bearer = undefined;
	await withStore('readwrite', (store) => store.delete('own'));
}

async function findBearer() {
	if (bearer && Date.now() < bearer.expiresAt - RENEW_BEFORE_MS) return bearer.bearer;
	renewing ??= renew().finally(() => {
		renewing = undefined;
	});
	bearer = await renewing;
	return bearer?.bearer;
}

async function renew() {
	const device = await readDevice();
	if (!device) return undefined;
	const issued = await post('/api/v1/challenges', { deviceId: device.id });
	if (!issued.ok) return undefined;
	const { challenge } = issued.body;
	const signature = await sign(device.privateKey, 'login', device.id, challenge);
	const reply = await post('/api/v1/bearers', { deviceId: device.id, challenge, signature });
	return reply.ok ? reply.body : undefined;
}

async function sign(key, purpose, subject, challenge) {
	const text = ['roost-device-1', purpose, location.origin, subject, challenge].join('\n');
	return toBase64Url(await crypto.subtle.sign(KEY_TYPE, key, new TextEncoder().encode(text)));
}

async function post(path, body) {
	const response = await send(path, 'POST', body);
	return { ok: response.ok, body: await response.json() };
}

function send(path, method, body, secret) {
	const headers = {};
	if (secret) headers.authorization = `Bearer ${secret}`;
	if (body) headers['content-type'] = 'application/json';
	return fetch(path, { method, headers, credentials: 'omit', ...(body ? { body: JSON.stringify(body) } : {}) });
}

function readDevice() {
	return withStore('readonly', (store) => store.get('own'));
}

async function withStore(mode, use) {
	const opening = indexedDB.open('roost', 1);
	opening.onupgradeneeded = () => opening.result.createObjectStore('device');
	const database = await toPromise(opening);
	try {
		return await toPromise(use(database.transaction('device', mode).objectStore('device')));
	} finally {
		database.close();
	}
}

function toPromise(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

function toBase64Url(buffer) {
	const text = String.fromCharCode(...new Uint8Array(buffer));
	return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function nameOfBrowser() {
	const agent = navigator.userAgent;
	const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(agent)?.[1] ?? 'Browser';
	const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0];
	return system ? `${BROWSERS[browser] ?? browser} on ${system}` : browser;
}

const BROWSERS = { Edg: 'Edge', OPR: 'Opera' };
