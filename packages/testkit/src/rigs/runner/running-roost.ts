// A real runner as a process with a home of its own, reached as scripts and terminals reach it, and agents that a test plays.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Exit, type Program, startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { type ReachedRoost, reachRoost } from './reach-roost.ts';
import { roostArgv } from './roost-cli.ts';

export type RunningRoost = ReachedRoost &
	AsyncDisposable & {
		/** Where it was started, and where commands run. */
		readonly folder: string;
		readonly env: Record<string, string>;
		readonly program: Program;
		/** One command, as a process of its own. */
		roost(...args: string[]): Promise<Exit>;
	};

/** `through`: what starts it, such as a shell that changes its surroundings first. */
export type Surroundings = { env?: Record<string, string>; through?: readonly string[] };

export async function startRunningRoost(
	config: object = {},
	{ env: more = {}, through = [] }: Surroundings = {},
): Promise<RunningRoost> {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const home = join(folder, 'roost');
	const env = { PATH: process.env.PATH ?? '', HOME: folder, ROOST_HOME: home };
	await mkdir(home, { mode: 0o700 });
	await writeFile(join(home, 'config.yaml'), JSON.stringify({ runner: { port: 0 }, ...config }), { mode: 0o600 });
	const [file = '', ...args] = [...through, ...roostArgv('up')];
	const program = stack.use(await startProgram([file, ...args], { cwd: folder, env: { ...env, ...more } }));
	const reached = await reachRoost(home, program.output);
	const owned = stack.move();
	return {
		folder,
		env,
		program,
		...reached,
		async roost(...args) {
			await using command = await startProgram(roostArgv(...args), { cwd: folder, env });
			return await command.waitForExit(60_000);
		},
		openLaunch: (over) => reached.openLaunch({ cwd: folder, ...over }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
