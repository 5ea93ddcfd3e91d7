// A hook as a process: what Claude Code starts where HTTP hooks do not run.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PAYLOAD } from './hook-client.ts';

/** As users run it: built. The source would pay for its types at every start. */
export function compiledForwarder(): string {
	const resolved = fileURLToPath(import.meta.resolve('@roost/agents/claude/hooks/forwarder'));
	const built = resolved.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js');
	if (!existsSync(built)) throw new Error(`${built} is missing: build first.`);
	return built;
}

export function runProcess(command: string, args: string[], env: Record<string, string>): Promise<void> {
	const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
	// A program that does not read its input is no failure.
	child.stdin.on('error', () => {});
	child.stdin.end(JSON.stringify(PAYLOAD));
	child.stdout.resume();
	return new Promise((resolve, reject) => {
		child
			.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))))
			.on('error', reject);
	});
}
