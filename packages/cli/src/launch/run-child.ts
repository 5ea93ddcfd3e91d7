// Runs the agent in this terminal: it has the keyboard and the screen, we have its exit code. It never outlives us by our fault.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { toSentence } from '@roost/core/display/sentence';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type ChildOptions = { command: string; args: readonly string[]; env: NodeJS.ProcessEnv; cwd: string };

const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 3_000;

export function runChild(options: ChildOptions): Promise<Result<number>> {
	return new Promise((resolve) => {
		const child = spawn(options.command, [...options.args], { env: options.env, cwd: options.cwd, stdio: 'inherit' });
		let mercy: NodeJS.Timeout | undefined;
		const passOn = (signal: NodeJS.Signals) => {
			child.kill(signal);
			mercy ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
		};
		// The terminal sends Ctrl-C to the agent too, and there it means "stop this turn": we must outlast it.
		const ignore = () => {};
		process.on('SIGINT', ignore);
		for (const signal of PASSED_ON) process.on(signal, passOn);

		function finish(result: Result<number>): void {
			clearTimeout(mercy);
			process.off('SIGINT', ignore);
			for (const signal of PASSED_ON) process.off(signal, passOn);
			resolve(result);
		}
		child.once('error', (cause) =>
			finish(err(new AppError('cannot_start', toSentence(`${options.command} cannot be started: ${cause.message}`), { cause }))),
		);
		child.once('exit', (code, signal) => finish(ok(code ?? 128 + (signal ? constants.signals[signal] : 0))));
	});
}
