// From the name of a hook to what it becomes in the feed.
import type { EventOf } from '../runtime/event.ts';
import type { HookName } from '../runtime/normal-form/hook-payloads.ts';
import type { Draft, HookMappings, MapContext } from './draft.ts';
import { agentHooks } from './map-agents.ts';
import { conversationHooks } from './map-conversation.ts';
import { environmentHooks } from './map-environment.ts';
import { permissionHooks } from './map-permissions.ts';
import { reportHooks } from './map-reports.ts';
import { sessionHooks } from './map-session.ts';
import { stopHooks } from './map-stops.ts';
import { toolHooks } from './map-tools.ts';

const hookTable: HookMappings<HookName> = {
	...sessionHooks,
	...conversationHooks,
	...toolHooks,
	...permissionHooks,
	...stopHooks,
	...agentHooks,
	...environmentHooks,
	...reportHooks,
};

/** Whether it opens a run where there is none. */
export function isWork(hookName: HookName): boolean {
	return hookTable[hookName].isWork;
}

export function toDrafts<Name extends HookName>(context: MapContext, { hookName, payload }: EventOf<Name>): Draft[] {
	return hookTable[hookName].toDrafts(context, payload);
}
