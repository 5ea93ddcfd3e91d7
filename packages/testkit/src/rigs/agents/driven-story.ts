// The events of a driven agent, with the test's decisions, and functions that wait for events.
import { randomUUID } from 'node:crypto';
import type { Connection, DrivenAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import { promptId } from '@roost/protocol/ids';
import { waitFor } from '../wait-for.ts';

/** What the test decides; undefined leaves the agent waiting. */
export type TestGate = (event: RuntimeEvent) => RuntimeDecision | undefined;

export type DrivenStory = {
	readonly runtime: Runtime;
	readonly connection: Connection;
	readonly events: readonly RuntimeEvent[];
	/** The events of that name. */
	reported(hookName: string): RuntimeEvent[];
	payloads(hookName: string): unknown[];
	until(hookName: string, count?: number): Promise<RuntimeEvent>;
	/** Sends a prompt and waits for the end of its turn, also a failed one. */
	ask(text: string): Promise<RuntimeEvent>;
};

export const NO_OPINION: RuntimeDecision = { verdict: { type: 'none' }, source: 'rule' };
export const ALLOW: RuntimeDecision = { verdict: { type: 'allow' }, source: 'rule' };

/** Approves every permission request. */
export const allowAll: TestGate = (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : ALLOW);

export function toPrompt(text: string): OutgoingPrompt {
	return { id: promptId.parse(randomUUID()), text };
}

/** Starts it. */
export function listenTo({ runtime, connection }: DrivenAgent, gate: TestGate): DrivenStory {
	const events: RuntimeEvent[] = [];
	runtime.onEvent((event) => {
		events.push(event);
		const decision = event.interaction.expectsDecision ? gate(event) : undefined;
		if (decision) runtime.sendDecision(event.id, decision);
	});
	const reported = (hookName: string) => events.filter((event) => event.hookName === hookName);
	const ends = () => events.filter(({ hookName }) => hookName === 'Stop' || hookName === 'StopFailure');
	const find = (what: string, fact: () => RuntimeEvent | undefined) =>
		waitFor(fact, { what, everyMs: 2, seen: () => events.map(({ hookName }) => hookName) });
	runtime.start();
	return {
		runtime,
		connection,
		events,
		reported,
		payloads: (hookName) => reported(hookName).map(({ payload }) => payload),
		until: (hookName, count = 1) => find(hookName, () => reported(hookName)[count - 1]),
		async ask(text) {
			const before = ends().length;
			await connection.followUp(toPrompt(text));
			return await find(`the end of "${text}"`, () => ends()[before]);
		},
	};
}
