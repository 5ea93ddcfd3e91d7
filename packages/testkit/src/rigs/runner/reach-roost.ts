// A runner that somebody started, reached as scripts reach it, and agents that a test plays.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningRunner, readRunnerFile } from '@roost/home/runner-file';
import { type LaunchBody, type LaunchOpened, launchOpened } from '@roost/protocol/api/launches';
import { type RawResponse, sendRaw } from '../api/raw-http.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

export type ReachedRoost = {
	readonly pid: number;
	readonly port: number;
	readonly bearer: { authorization: string };
	call(method: string, path: string, body?: unknown): Promise<RawResponse>;
	openLaunch(over?: Partial<LaunchBody>): Promise<PlayedAgent>;
};

export type PlayedAgent = LaunchOpened & {
	/** One hook through the HTTP door; resolves when the runner has answered. */
	report(payload: Record<string, unknown>): Promise<RawResponse>;
};

/** Waits until it is up. `seen` tells what it said so far. */
export async function reachRoost(home: string, seen?: () => unknown): Promise<ReachedRoost> {
	const up = await waitFor(() => findRunner(home), { what: 'the runner', ...(seen ? { seen } : {}) });
	const bearer = { authorization: `Bearer ${(await readFile(join(home, 'token'), 'utf8')).trim()}` };

	async function call(method: string, path: string, body?: unknown): Promise<RawResponse> {
		const json = body === undefined ? {} : { body: JSON.stringify(body) };
		return await sendRaw({ port: up.port, method, path, headers: { ...bearer, 'content-type': 'application/json' }, ...json });
	}
	return {
		pid: up.pid,
		port: up.port,
		bearer,
		call,
		async openLaunch(over = {}) {
			// Waited for by a process that no command of the test descends from.
			const body = { agent: 'claude', cwd: home, gate: 'observe', headless: true, pid: up.pid, ...over };
			const opened = launchOpened.parse(JSON.parse((await call('POST', '/api/v1/launches', body)).body));
			return { ...opened, report: (payload) => report(opened, payload) };
		},
	};
}

/** The runner that is up there. */
export function findRunner(home: string): RunningRunner | undefined {
	return unwrap(readRunnerFile({ run: join(home, 'run') })) ?? undefined;
}

function report({ hooks }: LaunchOpened, payload: Record<string, unknown>): Promise<RawResponse> {
	const { port, pathname } = new URL(hooks.httpUrl);
	const headers = { authorization: `Bearer ${hooks.secret}`, 'content-type': 'application/json' };
	return sendRaw({ port: Number(port), method: 'POST', path: pathname, headers, body: JSON.stringify(payload) });
}
