// A shell in a PTY, read and written directly: the floor for terminals.
import { spawn } from '@lydell/node-pty';

export type BarePty = Disposable & { write(keys: string): void; onBytes(handler: (bytes: Buffer) => void): void };

export function openBarePty(home: string, shellEnv: Record<string, string>): BarePty {
	const env = { ...shellEnv, PATH: process.env.PATH ?? '', HOME: home };
	const pty = spawn('/bin/sh', [], { cwd: home, env, cols: 120, rows: 40, encoding: null });
	return {
		write: (keys) => pty.write(keys),
		onBytes(handler) {
			pty.onData((bytes: string | Buffer) => handler(Buffer.from(bytes)));
		},
		[Symbol.dispose]: () => pty.kill('SIGKILL'),
	};
}
