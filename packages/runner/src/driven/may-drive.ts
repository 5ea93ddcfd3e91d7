// Whether Roost may drive a session or an agent, and the sentence that says why not.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { SessionRow } from '@roost/protocol/session-row';

/** Null where it may. */
export function whyNotDriven({ driven, agent: name }: SessionRow, agent: DrivableAgent | undefined): string | null {
	if (!driven) return 'This session is only observed: write to its agent in the terminal where it runs.';
	if (!agent?.capabilities.takesPrompts) return `This runner cannot drive ${name}, so the session takes no prompts here.`;
	return null;
}

export function cannotDrive(name: string, drivable: ReadonlyMap<string, DrivableAgent>): string {
	const known = [...drivable.keys()];
	if (known.length === 0) return `This runner drives no agents: start ${name} in a terminal, such as with "roost claude".`;
	return `This runner cannot drive "${name}": choose ${known.join(' or ')}.`;
}
