// roost claude: the user's own claude in this terminal.

import { launch } from './launch.ts';
import { loadClaude } from './lazy-parts.ts';

export async function claude(args: readonly string[], options: { enforce: boolean }): Promise<void> {
	await launch((await loadClaude()).launchClaude, args, options);
}
