// roost claude: the user's own claude in this terminal.
import { loadClaude } from '../lazy-parts.ts';
import { launch } from './launch.ts';

export async function claude(args: readonly string[], options: { enforce: boolean }): Promise<void> {
	await launch((await loadClaude()).launchClaude, args, options);
}
