// Codex, driven through its app-server: one process per session, every call through Roost's gate.
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { drivenCapabilities } from '../../base/capabilities.ts';
import { refuseMode, refuseModel } from '../../live/gate.ts';
import { createLiveDrivable, type DriveDeps } from '../../live/live-agent.ts';
import { createHasPrompt } from '../rollout-files.ts';
import { type CodexSetupDeps, createCodexSetup } from './codex-setup.ts';
import { createCodexWire } from './codex-wire.ts';

export type CodexAgentDeps = CodexSetupDeps & DriveDeps;

export const CODEX_CAPABILITIES = drivenCapabilities('codex');

export function createCodexAgent(deps: CodexAgentDeps): DrivableAgent {
	const setup = createCodexSetup(deps);
	return createLiveDrivable(
		{
			capabilities: CODEX_CAPABILITIES,
			usualKey: 'OPENAI_API_KEY',
			title: 'Codex',
			refuse: refuseRequest,
			connect: (live, request) => createCodexWire(live, request, setup),
			hasPrompt: createHasPrompt(deps.env('')),
		},
		deps,
	);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids of Codex are UUIDs; anything else could be a path. */
function refuseRequest({ model, permissionMode, resume }: DrivenRequest): string | null {
	const ids = [resume?.nativeId, resume?.upTo, resume?.ifMissing?.copyOf?.nativeId, resume?.ifMissing?.copyOf?.upTo];
	const bad = ids.find((id) => id !== undefined && !UUID.test(id));
	if (bad !== undefined) return `"${bad.slice(0, 80)}" is not the id of a conversation of Codex, which is a UUID.`;
	return refuseModel(model) ?? (permissionMode === undefined ? null : refuseMode(permissionMode));
}
