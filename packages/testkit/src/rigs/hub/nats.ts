// A real NATS server of a test's own, on a free port of loopback.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { findProgram } from '@roost/machine/find-program';
import type { Requirement } from '../requirements.ts';
import { createTempDir } from '../temp-dir.ts';
import { waitFor } from '../wait-for.ts';

export type NatsRig = AsyncDisposable & {
	readonly url: string;
	/** SIGKILL. */
	kill(): Promise<void>;
	/** After `kill`, at the same address. */
	start(): Promise<void>;
};

/** Debian installs it where only root has its PATH. */
function findServer(): string | null {
	return findProgram('nats-server', { PATH: `${process.env.PATH ?? ''}:/usr/sbin` });
}

export function natsServer(): Requirement {
	const name = 'nats-server';
	return findServer() ? { name } : { name, missing: 'nats-server is not installed: install nats-server.' };
}

export async function startNats(): Promise<NatsRig> {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const port = await freePort();
	let server: ChildProcess | undefined;

	async function start(): Promise<void> {
		const options = ['-a', '127.0.0.1', '-p', String(port)];
		const started = spawn(findServer() ?? 'nats-server', options, { cwd: path, stdio: ['ignore', 'ignore', 'pipe'] });
		server = started;
		await once(started, 'spawn');
		let log = '';
		started.stderr.setEncoding('utf8').on('data', (text: string) => {
			log = `${log}${text}`.slice(-10_000);
		});
		await waitFor(async () => (await speaks(port)) || undefined, { what: 'NATS to start', seen: () => log });
	}

	async function kill(): Promise<void> {
		if (!server || server.exitCode !== null || server.signalCode !== null) return;
		const exited = once(server, 'exit');
		server.kill('SIGKILL');
		await exited;
	}

	stack.defer(kill);
	await start();
	const owned = stack.move();
	return { url: `nats://127.0.0.1:${port}`, kill, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('no port of loopback is free');
	return address.port;
}

/** Its first message is its own description. */
async function speaks(port: number): Promise<boolean> {
	const socket = createConnection({ host: '127.0.0.1', port });
	try {
		const [bytes] = await once(socket, 'data');
		return String(bytes).startsWith('INFO');
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
