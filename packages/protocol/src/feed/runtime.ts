// What Roost itself has to say: connections, errors, terminals, rules, trust, devices, and hooks it does not know.
import { z } from 'zod';
import { rule } from '../rule.ts';
import { feedKind } from './base.ts';

export const runtimeError = feedKind(
	'runtime.error',
	z.object({ code: z.string(), message: z.string(), detail: z.string().optional() }),
);

export const runtimeStatus = feedKind(
	'runtime.status',
	z.object({ status: z.enum(['connected', 'gap', 'degraded']), reason: z.string().optional() }),
);

export const terminalOpen = feedKind(
	'terminal.open',
	z.object({ terminal_id: z.string(), cols: z.number().optional(), rows: z.number().optional() }),
);

export const terminalClose = feedKind(
	'terminal.close',
	z.object({ terminal_id: z.string(), exit_code: z.number().optional(), reason: z.string().optional() }),
);

export const ruleAdded = feedKind('rule.added', z.object({ rule }));
export const ruleRemoved = feedKind('rule.removed', z.object({ rule_id: z.string(), removed_by: z.string().optional() }));

/** A server that a project brings may be started, exactly as it was shown: `hash` is that of its configuration. */
export const mcpTrusted = feedKind(
	'mcp.trusted',
	z.object({ project: z.string(), server: z.string(), hash: z.string(), trusted_by: z.string() }),
);
export const mcpUntrusted = feedKind(
	'mcp.untrusted',
	z.object({ project: z.string(), server: z.string(), untrusted_by: z.string(), reason: z.string().optional() }),
);

/** A browser may act for the user from now on; `registered_by` made the link that it came with. */
export const deviceRegistered = feedKind(
	'device.registered',
	z.object({ device_id: z.string(), name: z.string(), origin: z.string(), registered_by: z.string() }),
);
export const deviceRevoked = feedKind(
	'device.revoked',
	z.object({ device_id: z.string(), name: z.string(), revoked_by: z.string(), reason: z.string().optional() }),
);

export const unknownHook = feedKind('unknown.hook', z.object({ hook_event_name: z.string(), payload: z.unknown() }));
