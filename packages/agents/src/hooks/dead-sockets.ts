// A runner that was killed leaves its socket behind: the next one clears away what nobody listens to any more.
import { readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';

const OURS = /^[0-9a-f]{16}\.sock$/;

/** Looks only at names of our own making, in the private directory this socket will live in. */
export async function removeDeadSockets(socketPath: string): Promise<void> {
	const dir = dirname(socketPath);
	const names = (await readdir(dir)).filter((name) => OURS.test(name));
	await Promise.all(names.map((name) => removeIfDead(join(dir, name))));
}

async function removeIfDead(path: string): Promise<void> {
	if (await isRefused(path)) await rm(path, { force: true });
}

/** Only a refusal proves that nobody listens; whatever else goes wrong proves nothing. */
function isRefused(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createConnection(path);
		socket.on('connect', () => {
			socket.destroy();
			resolve(false);
		});
		socket.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
	});
}
