// What Roost itself has to say: connections, errors, terminals, rules, and hooks it does not know.
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
export const ruleRemoved = feedKind('rule.removed', z.object({ rule_id: z.string() }));

export const unknownHook = feedKind('unknown.hook', z.object({ hook_event_name: z.string(), payload: z.unknown() }));
