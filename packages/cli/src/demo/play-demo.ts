// The demo without a terminal: one story, told event by event, with rules that answer because nobody else can.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { type DemoPlace, openDemoStage } from './open-demo.ts';
import { playStory } from './play-story.ts';
import { UNATTENDED_RULES } from './rules.ts';
import { healthCheck } from './stories/health-check.ts';

export type DemoOptions = DemoPlace & {
	signal: AbortSignal;
	onEvents: (events: readonly FeedEvent[]) => void;
};

export async function playDemo(options: DemoOptions): Promise<Result<{ sessionId: SessionId }>> {
	const opened = await openDemoStage(options, UNATTENDED_RULES);
	if (!opened.ok) return opened;
	await using stage = opened.value;
	const story = {
		...healthCheck,
		beganAgoMs: 0,
		async play(agent: Parameters<typeof healthCheck.play>[0]) {
			await healthCheck.play(agent);
			await agent.leave();
		},
	};
	stage.onUpdate(({ events }) => options.onEvents(events));
	await playStory(story, { ...options, stage });
	return ok({ sessionId: story.id });
}
