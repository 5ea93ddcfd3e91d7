// The demo: a runner in this process, scripted sessions that play in it, and an agent that takes prompts.
import type { AgentId } from '@roost/agents/base/agent-names';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { type MockStep, turnFor } from '@roost/agents/mock/driven/turns';
import { createUsageTally, tallyMessage, toUsageByModel } from '@roost/core/usage/tally';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { loadStage, type NamedRule, type Stage } from '../runner/open-runner.ts';
import { applyCall, makeDemoProject } from './demo-project.ts';
import { apiGuide } from './stories/api-guide.ts';
import { asyncRoutes } from './stories/async-routes.ts';
import { cleanBuild } from './stories/clean-build.ts';
import { flakyTest } from './stories/flaky-test.ts';
import { healthCheck } from './stories/health-check.ts';
import { rateLimit } from './stories/rate-limit.ts';
import { releaseNotes } from './stories/release-notes.ts';
import { createStoryAgent, type StoryAgent } from './story-agent.ts';

type Demo = AsyncDisposable & {
	readonly project: Stage['project'];
	readonly first: SessionId;
};

type DemoPlace = { env: NodeJS.ProcessEnv; folder: string; speed: number };

/** In the terminal UI. */
export async function openDemo(place: DemoPlace): Promise<Result<Demo>> {
	return await openWith([asyncRoutes, rateLimit, healthCheck], place);
}

/** In a browser, where every page shows all sessions: more of them, in more states. */
export async function openWebDemo(place: DemoPlace): Promise<Result<Demo>> {
	await makeDemoProject(place.folder, place.env);
	return await openWith(WEB_CAST, place, (input) => applyCall(place.folder, input));
}

async function openWith(stories: readonly Story[], place: DemoPlace, made?: Made): Promise<Result<Demo>> {
	await using stack = new AsyncDisposableStack();
	const opened = await openDemoStage(place, DEMO_RULES);
	if (!opened.ok) return opened;
	const stage = stack.use(opened.value);
	const started = await stage.driving.create({ agent: 'mock', projectId: stage.project.id, prompt: 'What can you do?' });
	if (!started.ok) return started;
	stack.use(playAll(stories, { stage, speed: place.speed, made }));
	await stage.settled();
	const owned = stack.move();
	return ok({ project: stage.project, first: healthCheck.id, [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

export async function openDemoStage({ env, folder, speed }: DemoPlace, rules: readonly NamedRule[]): Promise<Result<Stage>> {
	const { openStage } = await loadStage();
	return await openStage({ env, folder, rules, drivable: new Map([['mock', mockAgent({ speed, turns: demoTurns })]]) });
}

function playAll(stories: readonly Story[], scene: Omit<Scene, 'signal'>): AsyncDisposable {
	const over = new AbortController();
	const playing = stories.map((story) => playStory(story, { ...scene, signal: over.signal }));
	return {
		async [Symbol.asyncDispose]() {
			over.abort();
			await Promise.all(playing);
		},
	};
}

/** Its requests are pending from the start. */
const WEB_CAST: readonly Story[] = [
	releaseNotes,
	{ ...flakyTest, agent: 'copilot' },
	{ ...apiGuide, agent: 'pi' },
	asyncRoutes,
	{ ...cleanBuild, agent: 'codex' },
	{ ...rateLimit, beganAgoMs: 26_000 },
	{ ...healthCheck, beganAgoMs: 12_000 },
];

const HELP: readonly MockStep[] = [
	{
		type: 'say',
		text: [
			'I am a scripted agent, and I take prompts. Press **i** and write one of these:\n\n',
			'- `run the tests`: I ask you for permission first\n',
			'- `fix it`: I show you a change before I make it\n',
			'- `which one?`: I ask you a question\n',
			'- `explain it`: a long answer, which you can interrupt\n',
			'- `fail`: my model gives up\n\n',
			'What you write while I am busy waits until I am done.',
		].join(''),
	},
];

/** The reply of the demo agent, chosen by words in the prompt. */
function demoTurns(prompt: string): readonly MockStep[] {
	return /\b(help|hello|hi|what can you)\b/i.test(prompt) ? HELP : turnFor(prompt);
}

type DemoOptions = DemoPlace & {
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

export type Story = {
	id: SessionId;
	/** Claude unless given. */
	agent?: AgentId;
	model: string;
	permissionMode: 'default' | 'acceptEdits';
	/** How much of it has already happened when the demo starts. */
	beganAgoMs: number;
	play(agent: StoryAgent): Promise<void>;
};

/** Called with the input of each call that was made. */
type Made = (input: ToolInput) => void;
type Scene = { stage: Stage; speed: number; signal: AbortSignal; made?: Made | undefined };

/** Resolves when the story ends or is aborted. */
export async function playStory(story: Story, { stage, speed, signal, made }: Scene): Promise<void> {
	const usage = createUsageTally();
	const { runtime, agent } = createStoryAgent({
		agent: 'claude',
		...story,
		speed,
		signal,
		made,
		nativeId: `demo-${story.id}`,
		cwd: stage.project.path,
		now: Date.now,
		spent(tokens, at) {
			tallyMessage(usage, { model: story.model, usage: tokens });
			stage.noteUsage(story.id, toUsageByModel(usage), at);
		},
	});
	using _observed = stage.observe(story.id, runtime);
	runtime.start();
	signal.addEventListener('abort', runtime.stop, { once: true });
	try {
		await story.play(agent);
	} catch (error) {
		// Every wait is aborted with the signal.
		if (!signal.aborted) throw error;
	}
	await stage.sessionSettled(story.id);
}

export const DEMO_RULES: readonly NamedRule[] = [
	['demo-tests', { tool: 'Bash', argsPattern: 'npm test *', decision: 'allow' }],
	['demo-test-files', { tool: 'Edit', argsPattern: 'test/**', decision: 'allow' }],
	['demo-no-force', { tool: 'Bash', argsPattern: 'git push --force *', decision: 'deny' }],
];

/** Used without a terminal, where no user can answer. */
const UNATTENDED_RULES: readonly NamedRule[] = [
	...DEMO_RULES,
	['demo-edits', { tool: 'Edit', decision: 'allow' }],
	['demo-push', { tool: 'Bash', argsPattern: 'git push -u *', decision: 'allow' }],
];
