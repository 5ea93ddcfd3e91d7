// A real Postgres of a test's own: a cluster in a temporary folder, with a database for each test.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '@roost/machine/find-program';
import { listPids, readStat } from '@roost/machine/process-table';
import pg from 'pg';
import { isRunning, signal } from '../live-processes.ts';
import type { Requirement } from '../requirements.ts';
import { createTempDir } from '../temp-dir.ts';
import { waitFor } from '../wait-for.ts';

export type PostgresRig = AsyncDisposable & {
	/** The address of a new, empty database. */
	createDatabase(options?: string): Promise<string>;
	/** Runs SQL as the owner of the cluster. */
	query(url: string, text: string): Promise<Record<string, unknown>[]>;
	/** SIGKILL to every process of it. */
	kill(): Promise<void>;
	/** After `kill`. */
	start(): Promise<void>;
	/** SIGSTOP to every process of it, until the returned function is called. */
	freeze(): () => void;
};

/** Debian keeps the programs of the server out of the PATH. */
function findServer(name: string): string | undefined {
	const versions = globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
	return findProgram(name, process.env) ?? versions.at(-1);
}

export function postgres(): Requirement {
	const isInstalled = ['initdb', 'postgres'].every((name) => findServer(name) !== undefined);
	return isInstalled ? { name: 'postgres' } : { name: 'postgres', missing: 'postgres is not installed: install postgresql.' };
}

const OWNER = 'roost';
const PASSWORD = 'not-a-secret';

export async function startPostgres(): Promise<PostgresRig> {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const cluster = await createCluster(path);
	stack.defer(() => cluster.end());
	await cluster.start();
	const address = (database: string) =>
		`postgresql://${OWNER}:${PASSWORD}@localhost/${database}?host=${encodeURIComponent(path)}`;
	const owned = stack.move();
	return {
		async createDatabase(options = '') {
			const name = `t${randomBytes(6).toString('hex')}`;
			await query(address('postgres'), `CREATE DATABASE ${name} ${options}`);
			return address(name);
		},
		query,
		kill: cluster.kill,
		start: cluster.start,
		freeze: cluster.freeze,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		const { rows } = await client.query(text);
		return rows;
	} finally {
		await client.end();
	}
}

/** Postgres refuses to run as root. */
type User = { uid?: number; gid?: number };

async function createCluster(directory: string) {
	const user = unprivileged();
	const data = join(directory, 'data');
	const password = join(directory, 'password');
	await writeFile(password, PASSWORD);
	await mkdir(data);
	for (const path of [directory, password, data]) await chown(path, user.uid ?? -1, user.gid ?? -1);
	const options = ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', `--pwfile=${password}`];
	await promisify(execFile)(findServer('initdb') ?? 'initdb', ['-D', data, '-U', OWNER, ...options], { cwd: directory, ...user });
	let server: ChildProcess | undefined;
	const pids = () => (server?.pid === undefined ? [] : [server.pid, ...childrenOf(server.pid)]);
	const toAll = (name: NodeJS.Signals) => {
		for (const pid of pids()) signal(pid, name);
	};

	async function kill(): Promise<void> {
		const all = pids();
		toAll('SIGKILL');
		await waitFor(async () => ((await Promise.all(all.map(isRunning))).includes(true) ? undefined : true), {
			what: 'the processes of Postgres to be gone',
		});
	}

	return {
		async start(): Promise<void> {
			server = await runServer(directory, data, user);
		},
		kill,
		freeze() {
			toAll('SIGSTOP');
			return () => toAll('SIGCONT');
		},
		async end(): Promise<void> {
			// Nothing in it is needed any more.
			await kill();
		},
	};
}

async function runServer(directory: string, data: string, user: User): Promise<ChildProcess> {
	const options = ['-D', data, '-k', directory, '-c', 'listen_addresses=', '-c', 'shared_buffers=32MB', '-c', 'fsync=on'];
	const server = spawn(findServer('postgres') ?? 'postgres', options, {
		cwd: directory,
		stdio: ['ignore', 'ignore', 'pipe'],
		...user,
	});
	await once(server, 'spawn');
	let log = '';
	server.stderr?.setEncoding('utf8').on('data', (text: string) => {
		log = `${log}${text}`.slice(-10_000);
	});
	await waitFor(() => (isReady(data, server.pid) ? true : undefined), { what: 'Postgres to start', seen: () => log });
	return server;
}

/** The first line of its file is its process, the eighth its state. */
function isReady(data: string, pid: number | undefined): boolean {
	try {
		const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
		return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
	} catch {
		// Not written yet.
		return false;
	}
}

function childrenOf(parent: number): number[] {
	return listPids().filter((pid) => readStat(pid)?.parent === parent);
}

function unprivileged(): User {
	if (process.getuid?.() !== 0) return {};
	const [uid = 65_534, gid = 65_534] = idsOf('postgres') ?? idsOf('nobody') ?? [];
	return { uid, gid };
}

function idsOf(name: string): number[] | undefined {
	const line = readFileSync('/etc/passwd', 'utf8')
		.split('\n')
		.find((entry) => entry.startsWith(`${name}:`));
	return line?.split(':').slice(2, 4).map(Number);
}
