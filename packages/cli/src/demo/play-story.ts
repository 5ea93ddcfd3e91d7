// Plays a story into the runner: its agent is observed like any other, and its usage is noted as it grows.
import { createUsageTally, tallyMessage, toUsageByModel } from '@roost/core/usage/tally';
import type { SessionId } from '@roost/protocol/ids';
import type { Stage } from '../runner/open-runner.ts';
import { createStoryAgent, type StoryAgent } from './story-agent.ts';

export type Story = {
	id: SessionId;
	model: string;
	permissionMode: 'default' | 'acceptEdits';
	/** How much of it has happened when the curtain goes up. */
	beganAgoMs: number;
	play(agent: StoryAgent): Promise<void>;
};

/** Resolves when it is told to its end, or the signal has ended it. */
export async function playStory(
	story: Story,
	{ stage, speed, signal }: { stage: Stage; speed: number; signal: AbortSignal },
): Promise<void> {
	const usage = createUsageTally();
	const { runtime, agent } = createStoryAgent({
		...story,
		speed,
		signal,
		nativeId: `demo-${story.id}`,
		agent: 'claude',
		cwd: stage.project.path,
		now: Date.now,
		spent(tokens) {
			tallyMessage(usage, { model: story.model, usage: tokens });
			stage.noteUsage(story.id, toUsageByModel(usage));
		},
	});
	using _observed = stage.observe(story.id, runtime);
	runtime.start();
	signal.addEventListener('abort', runtime.stop, { once: true });
	try {
		await story.play(agent);
	} catch (error) {
		// Everything a story waits for ends with the show.
		if (!signal.aborted) throw error;
	}
	await stage.sessionSettled(story.id);
}
