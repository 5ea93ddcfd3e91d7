// Roost's own reports about the line to an agent.
import { RUNTIME_ERROR, RUNTIME_STATUS, USAGE_REPORT } from '../runtime/event.ts';
import { hookPayloads } from '../runtime/normal-form/hook-payloads.ts';
import { toUsageUpdate } from '../usage/usage-update.ts';
import { lifecycle } from './draft.ts';
import { SYSTEM } from './entities.ts';

export const reportHooks = {
	[RUNTIME_ERROR]: lifecycle(hookPayloads[RUNTIME_ERROR], (_, { code, message, detail }) => [
		{ kind: 'runtime.error', actor_id: SYSTEM, data: { code, message, detail: detail ?? undefined } },
	]),

	[RUNTIME_STATUS]: lifecycle(hookPayloads[RUNTIME_STATUS], (_, { status, reason }) => [
		{ kind: 'runtime.status', actor_id: SYSTEM, data: { status, reason: reason ?? undefined } },
	]),

	[USAGE_REPORT]: lifecycle(hookPayloads[USAGE_REPORT], (_, { by_model }) => [
		{ kind: 'usage.update', actor_id: SYSTEM, data: toUsageUpdate(by_model) },
	]),
};
