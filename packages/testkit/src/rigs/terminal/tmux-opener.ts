// A process that opens a terminal in tmux, shows its bytes on stdout, and ends by being killed.
import { openTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { openTmux } from '@roost/machine/tmux/tmux';
import { unwrap } from '../unwrap.ts';

async function openShell(socketPath: string, name: string): Promise<void> {
	const tmux = unwrap(await openTmux({ env: process.env, socketPath, scrollbackLines: 500 }));
	const env = { PATH: process.env.PATH ?? '', PS1: 'ready> ' };
	const program = { argv: ['sh', '-i'], cwd: '/', env, size: { cols: 80, rows: 24 } } as const;
	const shell = unwrap(await openTmuxTerminal({ tmux, name, program }));
	shell.onBytes((bytes) => process.stdout.write(Buffer.from(bytes)));
}

const [, , socketPath, name] = process.argv;
if (socketPath !== undefined && name !== undefined) await openShell(socketPath, name);
