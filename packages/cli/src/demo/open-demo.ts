// The demo: a whole runner in this process, the stories that play in it, and an agent that takes prompts.
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { type MockStep, turnFor } from '@roost/agents/mock/driven/turns';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { loadStage, type NamedRule, type Stage } from '../runner/open-runner.ts';
import { playStory, type Story } from './play-story.ts';
import { DEMO_RULES } from './rules.ts';
import { asyncRoutes } from './stories/async-routes.ts';
import { healthCheck } from './stories/health-check.ts';
import { rateLimit } from './stories/rate-limit.ts';

export type Demo = AsyncDisposable & {
	readonly project: Stage['project'];
	/** The session to look at first. */
	readonly first: SessionId;
};

export type DemoPlace = { env: NodeJS.ProcessEnv; folder: string; speed: number };

/** Resolves when everything is under way. */
export async function openDemo(place: DemoPlace): Promise<Result<Demo>> {
	await using stack = new AsyncDisposableStack();
	const opened = await openDemoStage(place, DEMO_RULES);
	if (!opened.ok) return opened;
	const stage = stack.use(opened.value);
	const started = await stage.driving.create({ agent: 'mock', projectId: stage.project.id, prompt: 'What can you do?' });
	if (!started.ok) return started;
	stack.use(playAll([asyncRoutes, rateLimit, healthCheck], stage, place.speed));
	await stage.settled();
	const owned = stack.move();
	return ok({ project: stage.project, first: healthCheck.id, [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

export async function openDemoStage({ env, folder, speed }: DemoPlace, rules: readonly NamedRule[]): Promise<Result<Stage>> {
	const { openStage } = await loadStage();
	return await openStage({ env, folder, rules, drivable: new Map([['mock', mockAgent({ speed, turns: demoTurns })]]) });
}

function playAll(stories: readonly Story[], stage: Stage, speed: number): AsyncDisposable {
	const over = new AbortController();
	const playing = stories.map((story) => playStory(story, { stage, speed, signal: over.signal }));
	return {
		async [Symbol.asyncDispose]() {
			over.abort();
			await Promise.all(playing);
		},
	};
}

const HELP: readonly MockStep[] = [
	{
		type: 'say',
		text: [
			'I am a scripted agent, and I take prompts. Press **i** and write one of these:\n\n',
			'- `run the tests`: I ask you for permission first\n',
			'- `fix it`: I show you a change before I make it\n',
			'- `which one?`: I ask you a question\n',
			'- `explain it`: a long answer; press Esc twice to interrupt me\n',
			'- `fail`: my model gives up\n\n',
			'What you write while I am busy waits until I am done.',
		].join(''),
	},
];

/** What the agent in the demo does with what its user writes, by the words in it. Data only. */
export function demoTurns(prompt: string): readonly MockStep[] {
	return /\b(help|hello|hi|what can you)\b/i.test(prompt) ? HELP : turnFor(prompt);
}
