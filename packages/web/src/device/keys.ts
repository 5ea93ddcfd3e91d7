// The key of this browser: made here, non-extractable, and kept in the database of this origin.

const KEY_TYPE = { name: 'Ed25519' };

export type OwnDevice = { id: string; privateKey: CryptoKey; publicKey: CryptoKey };

export async function makeKeys(): Promise<Omit<OwnDevice, 'id'>> {
	const made = await crypto.subtle.generateKey(KEY_TYPE, false, ['sign', 'verify']);
	if (!('privateKey' in made)) throw new Error('this browser makes no key pairs');
	return made;
}

export async function exportPublicKey(key: CryptoKey): Promise<string> {
	return toBase64Url(await crypto.subtle.exportKey('raw', key));
}

export async function sign(key: CryptoKey, text: string): Promise<string> {
	return toBase64Url(await crypto.subtle.sign(KEY_TYPE, key, new TextEncoder().encode(text)));
}

export function readDevice(): Promise<OwnDevice | undefined> {
	return withStore('readonly', (store): IDBRequest<OwnDevice | undefined> => store.get('own'));
}

export async function keepDevice(device: OwnDevice): Promise<void> {
	await withStore('readwrite', (store) => store.put(device, 'own'));
}

export async function forgetDevice(): Promise<void> {
	await withStore('readwrite', (store) => store.delete('own'));
}

async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
	const opening = indexedDB.open('roost', 1);
	opening.onupgradeneeded = () => opening.result.createObjectStore('device');
	const database = await toPromise(opening);
	try {
		return await toPromise(use(database.transaction('device', mode).objectStore('device')));
	} finally {
		database.close();
	}
}

function toPromise<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

export function toBase64Url(buffer: ArrayBuffer): string {
	const text = String.fromCharCode(...new Uint8Array(buffer));
	return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
