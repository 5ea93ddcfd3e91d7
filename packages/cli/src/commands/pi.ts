// roost pi: the user's own pi in this terminal.
import { loadPi } from '../open-runner.ts';
import { launch } from './launch.ts';

export async function pi(args: readonly string[], options: { enforce: boolean }): Promise<void> {
	await launch((await loadPi()).launchPi, args, options);
}
