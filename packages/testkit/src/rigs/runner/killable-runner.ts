// A real runner in a process of its own that can be killed and started again, on one home.
import { type Reached, reachRunner } from '@roost/cli/runner/reach';
import { type Program, startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { roostArgv, testedFile } from './roost-cli.ts';

export type KillableRunner = AsyncDisposable & {
	readonly home: string;
	readonly env: Readonly<Record<string, string>>;
	/** A process to name as the one that waits for an agent: whoever does so may not decide. */
	readonly waiterPid: number;
	/** The one that is up, or was last. */
	reached(): Reached;
	program(): Program;
	/** At once and without a word, as a crash or the system does it. */
	kill(): Promise<void>;
	start(): Promise<void>;
};

const DEADLINE_MS = 60_000;

export const FORWARDER_SCRIPT = testedFile('forwarder');

/** `over`: the environment of a user who has more than a home. */
export async function startKillableRunner(over: Readonly<Record<string, string>> = {}): Promise<KillableRunner> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const programs = stack.use(new AsyncDisposableStack());
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: temp.path, ROOST_PORT: '0', ...over };
	const waiter = stack.use(await startProgram(['sleep', '86400'], { cwd: temp.path, env }));
	const first = await startOne();
	let { program, reached } = first;

	async function startOne(): Promise<{ program: Program; reached: Reached }> {
		const started = programs.use(await startProgram(roostArgv('up'), { cwd: temp.path, env }));
		const found = await waitFor(async () => unwrap(await reachRunner({ env })) ?? undefined, {
			deadlineMs: DEADLINE_MS,
			what: 'the runner to be up',
			seen: started.output,
		});
		return { program: started, reached: found };
	}

	const owned = stack.move();
	return {
		home: env.ROOST_HOME,
		env,
		waiterPid: waiter.pid,
		reached: () => reached,
		program: () => program,
		async kill() {
			program.signal('SIGKILL');
			await program.waitForExit(DEADLINE_MS);
		},
		async start() {
			({ program, reached } = await startOne());
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
