// A hook as a process, as Claude Code starts it where HTTP hooks do not run.
import { spawn } from 'node:child_process';
import { PAYLOAD } from './hook-client.ts';

export function runProcess(command: string, args: string[], env: Record<string, string>): Promise<void> {
	const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
	// Ignores EPIPE from a program that does not read its input.
	child.stdin.on('error', () => {});
	child.stdin.end(JSON.stringify(PAYLOAD));
	child.stdout.resume();
	return new Promise((resolve, reject) => {
		child
			.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))))
			.on('error', reject);
	});
}
