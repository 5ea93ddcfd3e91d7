// What a runner lets a hub do, by class of command: nothing, what a role on the hub allows, or only what a device has signed.
import { z } from 'zod';
import type { Role } from '../contract/operation.ts';

/** `stop`: deny a request, interrupt a run. It never makes an agent do more. */
export const COMMAND_CLASSES = ['read', 'stop', 'operate', 'approve', 'own'] as const;
export type CommandClass = (typeof COMMAND_CLASSES)[number];

export const acceptLevel = z.enum(['none', 'role', 'signed']);
export type AcceptLevel = z.infer<typeof acceptLevel>;

/** Whoever takes over the hub can read, delay and stop; everything else needs the key of a device that this runner trusts. */
export const accepts = z.object({
	read: acceptLevel.exclude(['signed']).default('role'),
	stop: acceptLevel.default('role'),
	operate: acceptLevel.default('signed'),
	approve: acceptLevel.default('signed'),
	own: acceptLevel.default('signed'),
});
export type Accepts = z.infer<typeof accepts>;

/** Of an operation of the contract, by its name and input. Undefined for what a hub never forwards. */
export function commandClass(
	name: string,
	needs: Role | 'none',
	input: Readonly<Record<string, unknown>>,
): CommandClass | undefined {
	if (name === 'sessions.interrupt' || isPlainDenial(name, input)) return 'stop';
	if (needs === 'view') return 'read';
	return needs === 'admin' || needs === 'none' ? undefined : needs;
}

/** Without a rule, which would decide later calls too, and without a message, which the agent would read like a prompt. */
function isPlainDenial(name: string, { decision, persist, denyMessage }: Readonly<Record<string, unknown>>): boolean {
	return name === 'asks.approve' && decision === 'deny' && persist !== true && denyMessage === undefined;
}
