// What a claude is doing, from whatever tells of it: its own status file first, its hooks second, its screen last.
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { StatusEvidence, StatusSources } from '../../base/status-source.ts';

/** The screen shows a dialog or an answer a little after the hook that tells of it. */
const SCREEN_LAG_MS = 1_000;

/**
 * The file of a living process wins whatever its age: Claude writes it at every change, so that an old one says that nothing
 * changed since. Hooks never overrule it, since they tell what is about to happen and not what came of it: a permission that
 * a rule gives, a prompt or a stop that a hook blocks. (The file of a dead process is no source; its reader sees to that.)
 *
 * Without a file the hooks count, until a screen that was seen clearly later contradicts them: Esc ends a turn and a
 * refused dialog closes without any hook. With neither, nothing is guessed.
 */
export function toClaudeStatus({ file, hooks, screen }: StatusSources, now: number): AgentStatus {
	if (file) return toStatus('file', file);
	if (hooks && screen && screen.status !== hooks.status && screen.at - hooks.at > SCREEN_LAG_MS)
		return toStatus('screen', screen);
	if (hooks) return toStatus('hooks', hooks);
	if (screen) return toStatus('screen', screen);
	return { status: 'unknown', source: 'none', asOf: now };
}

function toStatus(source: 'file' | 'hooks' | 'screen', { status, waitingFor, at }: StatusEvidence): AgentStatus {
	return { status, ...(waitingFor === undefined ? {} : { waitingFor }), source, asOf: at };
}
