// Prompts that were sent to an agent which is gone and never spoke of them: its own conversation knows whether it has them.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { ok } from '@roost/protocol/result';
import type { LiveSession } from '../engine/live-session.ts';
import type { PromptQueues } from './prompt-queues.ts';

type Deps = { agent: DrivableAgent | undefined; prompts: Pick<PromptQueues, 'note'>; warn: (sentence: string) => void };

/** Asked while no agent has the conversation open. */
export async function settleSent(session: LiveSession, { agent, prompts, warn }: Deps): Promise<void> {
	const row = session.row();
	const nativeId = row.nativeIds.at(-1)?.id;
	for (const prompt of [...session.prompts().sent].reverse()) {
		const known =
			nativeId && agent
				? await agent.hasPrompt({ nativeId, cwd: row.drive?.cwd ?? row.projectPath, prompt: prompt.id })
				: ok(false);
		if (!known.ok) warn(`whether prompt ${prompt.id} of session ${row.id} arrived is not known: ${known.error.message}`);
		// Better once too few than a second time: whoever wrote it sees that it is on record as not sent.
		if (!known.ok)
			await prompts.note(row.id, { type: 'arrive', id: prompt.id, reason: 'nobody can tell whether its agent got it' });
		else if (known.value)
			await prompts.note(row.id, { type: 'arrive', id: prompt.id, reason: 'it is in the conversation of its agent' });
		else await prompts.note(row.id, { type: 'return', id: prompt.id, reason: 'its agent never got it' });
	}
}
