// roost codex, roost copilot, roost pi: the user's own agent in this terminal.

import { launch } from './launch.ts';
import { loadObserved } from './lazy-parts.ts';

type Agent = Parameters<Awaited<ReturnType<typeof loadObserved>>['launchObserved']>[0];

export async function observed(agent: Agent, args: readonly string[], options: { enforce: boolean }): Promise<void> {
	const { launchObserved } = await loadObserved();
	await launch((launching) => launchObserved(agent, launching), args, options);
}
