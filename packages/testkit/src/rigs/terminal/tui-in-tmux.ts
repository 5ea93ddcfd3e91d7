// A program in a real tmux in a real terminal: what it writes reaches the terminal only as tmux passes it on.
import { join } from 'node:path';
import { startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { openTui, type TuiRig } from '../tui/tui-rig.ts';

/** The server has a socket of its own, and ends with the rig. */
export async function openTuiInTmux(argv: readonly [string, ...string[]]): Promise<TuiRig> {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const env = { PATH: process.env.PATH ?? '', HOME: path };
	const tmux = ['tmux', '-S', join(path, 'socket'), '-f', '/dev/null'] as const;
	const tui = stack.use(openTui({ cwd: path, env, argv: [...tmux, 'new-session', '--', ...argv] }));
	stack.defer(async () => {
		await using end = await startProgram([...tmux, 'kill-server'], { cwd: path, env });
		await end.waitForExit(60_000);
	});
	const owned = stack.move();
	return { ...tui, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
