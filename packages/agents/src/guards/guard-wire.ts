// How one agent asks its guard and hears the verdict: two pure functions around a process that runs once for each call.
import type { GuardedCall, GuardVerdict } from '../base/types.ts';

export type GuardWire = {
	/** The call that a payload on its input is about, or the calls, where it stands for several; null where it cannot be told, which is refused. */
	readCall(payload: unknown): GuardedCall | readonly GuardedCall[] | null;
	/** The verdict in the agent's own words. */
	say(verdict: GuardVerdict): Said;
};

export type Said = {
	stdout: string;
	stderr?: string;
	/** Of a refusal: one that the agent takes as such, even if it did not understand what was said. */
	exitCode: number;
};
