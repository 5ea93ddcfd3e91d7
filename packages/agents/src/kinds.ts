// The kinds of agents Roost knows, in the order in which they are shown. A new one needs a folder and a row here.
import type { AgentKind } from './agent-kind.ts';
import { claudeKind } from './claude/claude-kind.ts';
import { codexKind } from './codex/codex-kind.ts';
import { copilotKind } from './copilot/copilot-kind.ts';
import { piKind } from './pi/pi-kind.ts';

export const AGENT_KINDS: readonly AgentKind[] = [claudeKind, codexKind, piKind, copilotKind];

export function findKind(id: string, kinds: readonly AgentKind[] = AGENT_KINDS): AgentKind | undefined {
	return kinds.find(({ known }) => known.id === id);
}
