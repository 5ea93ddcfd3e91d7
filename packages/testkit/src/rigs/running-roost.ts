// A real runner as a process with a home of its own, reached as scripts and terminals reach it, and agents that a test plays.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LaunchBody, type LaunchOpened, launchOpened } from '@roost/protocol/api/launches';
import { type RunningRunner, readRunnerFile } from '@roost/runner/life/runner-file';
import { type Exit, type Program, startProgram } from './program.ts';
import { sendRaw } from './raw-http.ts';
import { roostArgv } from './roost-cli.ts';
import { createTempDir } from './temp-dir.ts';
import { unwrap } from './unwrap.ts';
import { waitFor } from './wait-for.ts';

export type RunningRoost = AsyncDisposable & {
	/** Where it was started, and where commands run. */
	readonly folder: string;
	readonly env: Record<string, string>;
	readonly program: Program;
	readonly port: number;
	readonly bearer: { authorization: string };
	call(method: string, path: string, body?: unknown): Promise<{ status: number; body: string }>;
	/** One command, as a process of its own. */
	roost(...args: string[]): Promise<Exit>;
	openLaunch(over?: Partial<LaunchBody>): Promise<PlayedAgent>;
};

export type PlayedAgent = LaunchOpened & {
	/** One hook through the HTTP door; resolves when the runner has answered. */
	report(payload: Record<string, unknown>): Promise<{ status: number; body: string }>;
};

export async function startRunningRoost(config: object = {}): Promise<RunningRoost> {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const home = join(folder, 'roost');
	const env = { PATH: process.env.PATH ?? '', HOME: folder, ROOST_HOME: home };
	await mkdir(home, { mode: 0o700 });
	await writeFile(join(home, 'config.yaml'), JSON.stringify({ runner: { port: 0 }, ...config }), { mode: 0o600 });
	const program = stack.use(await startProgram(roostArgv('up'), { cwd: folder, env }));
	const { port } = await waitFor(() => runnerAt(home), { deadlineMs: 30_000, what: 'the runner', seen: program.output });
	const bearer = { authorization: `Bearer ${(await readFile(join(home, 'token'), 'utf8')).trim()}` };

	async function call(method: string, path: string, body?: unknown) {
		const json = body === undefined ? {} : { body: JSON.stringify(body) };
		return await sendRaw({ port, method, path, headers: { ...bearer, 'content-type': 'application/json' }, ...json });
	}

	const owned = stack.move();
	return {
		folder,
		env,
		program,
		port,
		bearer,
		call,
		async roost(...args) {
			await using command = await startProgram(roostArgv(...args), { cwd: folder, env });
			return await command.waitForExit(60_000);
		},
		async openLaunch(over = {}) {
			// Waited for by a process that no command of the test descends from.
			const body = { agent: 'claude', cwd: folder, gate: 'observe', headless: true, pid: program.pid, ...over };
			const opened = launchOpened.parse(JSON.parse((await call('POST', '/api/v1/launches', body)).body));
			return { ...opened, report: (payload) => report(opened, payload) };
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function runnerAt(home: string): RunningRunner | undefined {
	return unwrap(readRunnerFile({ run: join(home, 'run') })) ?? undefined;
}

function report({ hooks }: LaunchOpened, payload: Record<string, unknown>): Promise<{ status: number; body: string }> {
	const { port, pathname } = new URL(hooks.httpUrl);
	const headers = { authorization: `Bearer ${hooks.secret}`, 'content-type': 'application/json' };
	return sendRaw({ port: Number(port), method: 'POST', path: pathname, headers, body: JSON.stringify(payload) });
}
