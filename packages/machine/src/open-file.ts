// Opens a file with the program that the desktop of the user chose for it, such as a page with the browser.
import { spawn } from 'node:child_process';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import { findProgram } from './find-program.ts';

/** On macOS and on other systems. */
const OPENERS = ['open', 'xdg-open'] as const;

/** False if there is no desktop, or nothing on it that opens files. The program stays open after this one ends. */
export async function openFile(
	path: string,
	env: NodeJS.ProcessEnv,
	platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
	const isMac = platform === 'darwin';
	if (!isMac && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
	const program = findProgram(OPENERS[isMac ? 0 : 1], env);
	if (program === null) return false;
	const child = spawn(program, [path], { env: withoutRoost(env), detached: true, stdio: 'ignore' });
	child.unref();
	return await new Promise<boolean>((resolve) => {
		child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
	});
}
