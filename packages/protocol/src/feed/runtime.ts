// Events of Roost itself: connections, errors, terminals, rules, trust, devices, and unknown hooks.
import { z } from 'zod';
import { rule } from '../rule.ts';
import { feedKind } from './base.ts';

export const runtimeKinds = [
	feedKind('runtime.error', { code: z.string(), message: z.string(), detail: z.string().optional() }),
	feedKind('runtime.status', { status: z.enum(['connected', 'gap', 'degraded']), reason: z.string().optional() }),
	feedKind('terminal.open', { terminal_id: z.string(), cols: z.number().optional(), rows: z.number().optional() }),
	feedKind('terminal.close', { terminal_id: z.string(), exit_code: z.number().optional(), reason: z.string().optional() }),
	feedKind('rule.added', { rule }),
	feedKind('rule.removed', { rule_id: z.string(), removed_by: z.string().optional() }),
	/** A server of a project may be started, exactly as it was shown: `hash` is that of its configuration. */
	feedKind('mcp.trusted', { project: z.string(), server: z.string(), hash: z.string(), trusted_by: z.string() }),
	feedKind('mcp.untrusted', { project: z.string(), server: z.string(), untrusted_by: z.string(), reason: z.string().optional() }),
	/** A browser may act for the user from now on; `registered_by` made the link that it came with. */
	feedKind('device.registered', { device_id: z.string(), name: z.string(), origin: z.string(), registered_by: z.string() }),
	feedKind('device.revoked', { device_id: z.string(), name: z.string(), revoked_by: z.string(), reason: z.string().optional() }),
	/** Notifications of a device; its address is secret, so only its host and a hash are recorded. */
	feedKind('device.push', {
		device_id: z.string(),
		name: z.string(),
		enabled: z.boolean(),
		host: z.string(),
		subscription_hash: z.string(),
		changed_by: z.string(),
		reason: z.string().optional(),
	}),
	feedKind('unknown.hook', { hook_event_name: z.string(), payload: z.unknown() }),
] as const;
