// Plays a story into the runner: its agent is observed like any other, and its usage is noted as it grows.
import { createUsageTally, tallyMessage, toUsageByModel } from '@roost/core/usage/tally';
import type { SessionId } from '@roost/protocol/ids';
import type { Engine } from '../engine/engine.ts';
import { toUsageFact } from '../engine/summaries.ts';
import { routeLaunch } from '../observed/route-launch.ts';
import type { Project } from '../project.ts';
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
	deps: { engine: Engine; project: Project; speed: number; signal: AbortSignal },
): Promise<void> {
	const { engine, project, signal } = deps;
	const usage = createUsageTally();
	const { runtime, agent } = createStoryAgent({
		...story,
		...deps,
		nativeId: `demo-${story.id}`,
		agent: 'claude',
		cwd: project.path,
		now: Date.now,
		spent(tokens) {
			tallyMessage(usage, { model: story.model, usage: tokens });
			engine.note(story.id, toUsageFact(toUsageByModel(usage)));
		},
	});
	using _route = routeLaunch({
		engine,
		bindings: { sessionFor: () => ({ id: story.id }) },
		runtime,
		project,
		gate: 'observe',
		now: Date.now,
		onProblem: () => {},
	});
	runtime.start();
	signal.addEventListener('abort', runtime.stop, { once: true });
	try {
		await story.play(agent);
	} catch (error) {
		// Everything a story waits for ends with the show.
		if (!signal.aborted) throw error;
	}
	await engine.sessionSettled(story.id);
}
