// Path of a hook socket: a short hashed name, because socket paths are limited to 104 bytes.
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

const MAX_PATH_BYTES = 103;

/** In the run directory if that is short enough, else in a private directory below the temporary one. */
export function hookSocketPath(runDir: string, key: string): Result<string> {
	const own = ensurePrivateDirectory(runDir);
	if (!own.ok) return own;
	const name = `${createHash('sha256').update(`${own.value}\0${key}`).digest('hex').slice(0, 16)}.sock`;
	const near = join(own.value, name);
	if (fits(near)) return ok(near);
	const fallback = join(tmpdir(), `roost-${process.getuid?.() ?? 'user'}`);
	const far = join(fallback, name);
	if (!fits(far))
		return err(
			new AppError('cannot_start', `no socket path under ${runDir} or ${tmpdir()} is short enough; set a shorter TMPDIR`),
		);
	const shared = ensurePrivateDirectory(fallback);
	return shared.ok ? ok(far) : shared;
}

function fits(path: string): boolean {
	return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

const OURS = /^[0-9a-f]{16}\.sock$/;

/** Removes sockets of killed runners. Only names that this module creates. */
export async function removeDeadSockets(socketPath: string): Promise<void> {
	const dir = dirname(socketPath);
	const names = (await readdir(dir)).filter((name) => OURS.test(name));
	await Promise.all(names.map((name) => removeIfDead(join(dir, name))));
}

async function removeIfDead(path: string): Promise<void> {
	if (await isRefused(path)) await rm(path, { force: true });
}

/** Only a refused connection proves that nothing listens. */
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
