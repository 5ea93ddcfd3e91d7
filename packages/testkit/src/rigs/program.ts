// Runs one program in a process group of its own, so that it can be ended with everything it started.
import { spawn } from 'node:child_process';
import { readIdentity } from '@roost/machine/process-identity';
import { endProcess, signal } from './live-processes.ts';
import { waitFor } from './wait-for.ts';

export type Exit = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
};

export type Program = AsyncDisposable & {
	readonly pid: number;
	/** What it has written so far. */
	readonly output: () => { readonly stdout: string; readonly stderr: string };
	waitForExit(deadlineMs: number): Promise<Exit>;
	/** One signal to the program alone; false when it is gone. */
	signal(name: NodeJS.Signals): boolean;
	/** Ends the whole group and waits until it is gone. */
	kill(): Promise<void>;
};

export type ProgramOptions = {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Written to its standard input, which is then closed. */
	readonly input?: string;
};

export async function startProgram(
	argv: readonly [string, ...string[]],
	{ cwd, env, input = '' }: ProgramOptions,
): Promise<Program> {
	const [file, ...args] = argv;
	const child = spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
	const started = Promise.withResolvers<void>();
	child.once('spawn', started.resolve);
	child.once('error', started.reject);
	await started.promise;
	const { pid } = child;
	if (pid === undefined) throw new Error(`${file} started without a process id`);

	let stdout = '';
	let stderr = '';
	let exit: Exit | undefined;
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	// A program may exit without reading its input; a broken pipe is no error.
	child.stdin.on('error', () => undefined);
	child.stdin.end(input);
	child.once('close', (code, name) => {
		exit = { code, signal: name, stdout, stderr };
	});

	// Once the group is gone its number may be reused, so it is never signalled again.
	let ended: Promise<void> | undefined;
	child.once('exit', () => {
		if (!signal(-pid, 0)) ended = Promise.resolve();
	});
	const kill = () => {
		ended ??= endProcess(-pid);
		return ended;
	};
	return {
		pid,
		output: () => ({ stdout, stderr }),
		waitForExit: (deadlineMs) =>
			waitFor(() => exit, { deadlineMs, what: `${argv.join(' ')} to exit`, seen: () => ({ stdout, stderr }) }),
		signal: (name) => signal(pid, name),
		kill,
		[Symbol.asyncDispose]: kill,
	};
}

export async function startScript(handlers: string) {
	const script = `const alive = setInterval(() => {}, 1e6); ${handlers} process.stdout.write('up');`;
	const program = await startProgram([process.execPath, '--eval', script], { cwd: '/', env: {} });
	await waitFor(() => program.output().stdout || undefined, { what: 'the program', seen: program.output });
	const identity = readIdentity(program.pid);
	if (!identity) throw new Error('the program lives');
	return { ...program, identity };
}

export function inlineArgv(lines: string): readonly [string, ...string[]] {
	return [process.execPath, '--conditions=source', '--input-type=module', '-e', lines];
}
