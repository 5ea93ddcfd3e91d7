// Loaded into the user's own Pi by the file that "roost hooks install --agent pi" writes: reports, and asks nothing.
import { findProjectSecret } from '../../hooks/find-project-secret.ts';
import type { PiApi } from './pi-api.ts';
import { reportTo } from './report-extension.ts';
import { openRunnerLink } from './runner-link.ts';

export type InstalledKeys = { socket: string; secrets: string; start: string };

const START_MS = 5000;

/** Inactive outside of installed projects, and where Roost started Pi. @public */
export function openInstalled(pi: PiApi, { socket, secrets, start }: InstalledKeys): void {
	if (process.env.ROOST_HOOK_SECRET || process.env.ROOST_SESSION) return;
	const secret = findProjectSecret(secrets, 'pi', process.cwd());
	if (secret === null) return;
	const ready = ensureRunner(socket, start);
	reportTo(pi, openRunnerLink({ socket, secret, gate: 'observe', waitMs: START_MS, ready }), null);
}

async function ensureRunner(socket: string, start: string): Promise<void> {
	const { isListening, startRunner } = await import('../../hooks/start-runner.ts');
	if (!(await isListening(socket))) await startRunner(start, socket, START_MS);
}
