// Roost's own reports about the line to an agent.
import { RUNTIME_ERROR, RUNTIME_STATUS, USAGE_REPORT } from '../runtime/event.ts';
import { toUsageUpdate } from '../usage/usage-update.ts';
import { type HookMappings, lifecycle } from './draft.ts';
import { SYSTEM } from './entities.ts';

export const reportHooks: HookMappings<typeof RUNTIME_ERROR | typeof RUNTIME_STATUS | typeof USAGE_REPORT> = {
	[RUNTIME_ERROR]: lifecycle((_, { code, message, detail }) => [
		{ kind: 'runtime.error', actor_id: SYSTEM, data: { code, message, detail: detail ?? undefined } },
	]),

	[RUNTIME_STATUS]: lifecycle((_, { status, reason }) => [
		{ kind: 'runtime.status', actor_id: SYSTEM, data: { status, reason: reason ?? undefined } },
	]),

	[USAGE_REPORT]: lifecycle((_, { by_model }) => [{ kind: 'usage.update', actor_id: SYSTEM, data: toUsageUpdate(by_model) }]),
};
