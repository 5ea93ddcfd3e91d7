// What is answered to an agent that asks for permission: an option by its kind. Once, never always, and no where yes cannot be said.
import type { GateVerdict } from '../live/gate.ts';
import type { PermissionOption } from './acp-messages.ts';

export type PermissionAnswer = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

export const CANCELLED: PermissionAnswer = { outcome: { outcome: 'cancelled' } };

/** `unsaid`: why something else is answered than what was decided. */
export function answerPermission(
	verdict: GateVerdict,
	options: readonly PermissionOption[],
): { answer: PermissionAnswer; unsaid?: string } {
	if (verdict.type === 'deny') return { answer: refuse(options) };
	if (verdict.updatedInput)
		return { answer: refuse(options), unsaid: 'This agent takes no changed input: the call was refused.' };
	const once = select(options, 'allow_once');
	if (once) return { answer: once };
	return { answer: refuse(options), unsaid: 'This agent offers no permission for once: the call was refused.' };
}

function refuse(options: readonly PermissionOption[]): PermissionAnswer {
	return select(options, 'reject_once') ?? select(options, 'reject_always') ?? CANCELLED;
}

function select(options: readonly PermissionOption[], kind: string): PermissionAnswer | undefined {
	const option = options.find((each) => each.kind === kind);
	return option && { outcome: { outcome: 'selected', optionId: option.optionId } };
}
