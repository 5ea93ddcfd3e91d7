// Roost's own tmux server in a directory of a test's own; every terminal in it is ended with the test.
import { endTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { openTmux, type Tmux } from '@roost/machine/tmux/tmux';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';

export type OwnTmux = AsyncDisposable & { readonly tmux: Tmux; readonly directory: string; readonly socketPath: string };

export async function createOwnTmux(): Promise<OwnTmux> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const socketPath = `${temp.path}/tmux.sock`;
	const tmux = unwrap(await openTmux({ env: process.env, socketPath, scrollbackLines: 500 }));
	stack.defer(async () => {
		for (const { name } of unwrap(await tmux.list())) unwrap(await endTmuxTerminal({ tmux, name }));
	});
	const owned = stack.move();
	return { tmux, directory: temp.path, socketPath, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
