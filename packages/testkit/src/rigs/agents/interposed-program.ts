// A program that runs another one and puts a line of its own into what that one says: how a newer version might speak.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The path of an executable in `folder`; `line` comes right after the first line of the real program. */
export async function makeInterposed(folder: string, real: readonly [string, ...string[]], line: string): Promise<string> {
	const path = join(folder, 'interposed.mjs');
	const program = `#!${process.execPath}
import { spawn } from 'node:child_process';
const child = spawn(${JSON.stringify(real[0])}, [...${JSON.stringify(real.slice(1))}, ...process.argv.slice(2)], { stdio: ['inherit', 'pipe', 'inherit'] });
let isSaid = false;
child.stdout.on('data', (chunk) => {
	const at = isSaid ? -1 : chunk.indexOf(10);
	if (at < 0) return void process.stdout.write(chunk);
	isSaid = true;
	process.stdout.write(Buffer.concat([chunk.subarray(0, at + 1), Buffer.from(${JSON.stringify(`${line}\n`)}), chunk.subarray(at + 1)]));
});
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
`;
	await writeFile(path, program);
	await chmod(path, 0o700);
	return path;
}
