// A real hub as a process with a home of its own, as a user starts it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningRunner, readRunnerFile } from '@roost/home/runner-file';
import { type Exit, type Program, startProgram } from '../program.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import type { RunnerRig } from '../runner/runner-rig.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

export type HubProcess = AsyncDisposable & {
	/** The same after a restart. */
	readonly url: string;
	readonly home: string;
	readonly program: Program;
	/** Runs one command on its machine. */
	roost(...args: readonly string[]): Promise<Exit>;
	/** A link of `roost hub invite`. */
	invite(...args: readonly string[]): Promise<string>;
	/** `roost join` on the machine of a runner, which is connected afterwards. */
	pair(runner: Pick<RunnerRig, 'roost'>, name?: string): Promise<void>;
	/** With SIGKILL, as in a crash. */
	kill(): Promise<void>;
	/** At the same port. */
	restart(): Promise<void>;
};

const DEADLINE_MS = 120_000;

export type HubProcessOptions = {
	/** Of `roost hub`. */
	args?: readonly string[];
	/** The content of config.yaml. */
	config?: object;
	/** Added to its environment. */
	env?: Readonly<Record<string, string>>;
	/** The command that starts it, such as a shell that sets limits first. */
	through?: readonly string[];
};

export async function startHubProcess({
	args = [],
	config = {},
	env: added = {},
	through = [],
}: HubProcessOptions = {}): Promise<HubProcess> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir()).path;
	const home = join(temp, 'roost');
	await mkdir(home, { mode: 0o700 });
	await writeFile(join(home, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	const env = { PATH: process.env.PATH ?? '', HOME: temp, ROOST_HOME: home };
	const programs = stack.use(new AsyncDisposableStack());
	const [file = '', ...rest] = [...through, ...roostArgv('hub')];

	async function start(port: number): Promise<{ program: Program; running: RunningRunner }> {
		const program = programs.use(
			await startProgram([file, ...rest, '--port', String(port), ...args], { cwd: temp, env: { ...env, ...added } }),
		);
		const find = () => unwrap(readRunnerFile({ run: join(home, 'hub') })) ?? undefined;
		const running = await waitFor(() => (find()?.pid === program.pid ? find() : undefined), {
			deadlineMs: DEADLINE_MS,
			what: 'the hub',
			seen: program.output,
		});
		return { program, running };
	}

	async function roost(...words: readonly string[]): Promise<Exit> {
		await using command = await startProgram(roostArgv(...words), { cwd: temp, env });
		return await command.waitForExit(DEADLINE_MS);
	}

	let current = await start(0);
	const { port } = current.running;
	const url = current.running.ownUrl ?? `http://127.0.0.1:${port}`;
	const owned = stack.move();
	const invite: HubProcess['invite'] = async (...words) =>
		JSON.parse(succeeded(await roost('hub', 'invite', '--json', ...words))).link;
	return {
		url,
		home,
		get program() {
			return current.program;
		},
		roost,
		invite,
		async pair(runner, name = 'laptop') {
			const joined = await runner.roost('join', await invite(), '--name', name, '--json');
			const { status } = JSON.parse(succeeded(joined));
			if (status.state !== 'connected') throw new Error(`The runner is not connected: ${JSON.stringify(status)}`);
		},
		async kill() {
			current.program.signal('SIGKILL');
			await current.program.waitForExit(DEADLINE_MS);
		},
		async restart() {
			current = await start(port);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Its standard output. */
export function succeeded({ code, stdout, stderr }: Exit): string {
	if (code === 0) return stdout;
	throw new Error(`Exit code ${code}: ${stderr}`);
}
