// From the name of a hook to what it becomes in the feed.
import type { HookName } from '../runtime/normal-form/hook-payloads.ts';
import type { HookMapping } from './draft.ts';
import { agentHooks } from './map-agents.ts';
import { conversationHooks } from './map-conversation.ts';
import { environmentHooks } from './map-environment.ts';
import { permissionHooks } from './map-permissions.ts';
import { reportHooks } from './map-reports.ts';
import { sessionHooks } from './map-session.ts';
import { stopHooks } from './map-stops.ts';
import { toolHooks } from './map-tools.ts';

const hookTable: Record<HookName, HookMapping> = {
	...sessionHooks,
	...conversationHooks,
	...toolHooks,
	...permissionHooks,
	...stopHooks,
	...agentHooks,
	...environmentHooks,
	...reportHooks,
};

const byName = new Map<string, HookMapping>(Object.entries(hookTable));

export function findMapping(hookName: string): HookMapping | undefined {
	return byName.get(hookName);
}
