// The demo on a stage of its own: a whole runner in this process, the stories that play in it, and an agent that takes prompts.
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Engine } from '../engine/engine.ts';
import { removeRunnerFile, writeRunnerFile } from '../life/runner-file.ts';
import { type OpenRunner, openRunner } from '../open-runner.ts';
import { findProject, type Project } from '../project.ts';
import { VERSION } from '../version.ts';
import { playStory, type Story } from './play-story.ts';
import { DEMO_RULES, layDownRules, type NamedRule } from './rules.ts';
import { asyncRoutes } from './stories/async-routes.ts';
import { healthCheck } from './stories/health-check.ts';
import { rateLimit } from './stories/rate-limit.ts';
import { demoTurns } from './turns.ts';

export type Demo = AsyncDisposable & {
	readonly project: Project;
	/** The session to look at first. */
	readonly first: SessionId;
};

export type Stage = { env: NodeJS.ProcessEnv; folder: string; speed: number };

/** Resolves when it can be reached like any other runner of that home, and everything is under way. */
export async function openDemo(stage: Stage): Promise<Result<Demo>> {
	await using stack = new AsyncDisposableStack();
	const opened = await openStage(stage, DEMO_RULES);
	if (!opened.ok) return opened;
	const { runner, engine, project } = stack.use(opened.value);
	const started = await runner.driving.create({ agent: 'mock', projectId: project.id, prompt: 'What can you do?' });
	if (!started.ok) return started;
	const playing = playAll([asyncRoutes, rateLimit, healthCheck], { engine, project, speed: stage.speed });
	stack.use(playing);
	await engine.settled();
	const owned = stack.move();
	return ok({ project, first: healthCheck.id, [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

export type OpenStage = AsyncDisposable & { runner: OpenRunner; engine: Engine; project: Project };

export async function openStage({ env, folder, speed }: Stage, rules: readonly NamedRule[]): Promise<Result<OpenStage>> {
	const project = await findProject(folder);
	const laid = await layDownRules(env, project.id, rules);
	if (!laid.ok) return laid;
	const drivable = new Map([['mock', mockAgent({ speed, turns: demoTurns })]]);
	const opened = await openRunner({ env, flags: {}, journal: SILENT, warn: () => {}, drivable });
	if (!opened.ok) return opened;
	const runner = opened.value;
	const sign = writeRunnerFile(runner.home, { port: runner.gateway.port, version: VERSION, startedAt: Date.now() });
	async function close(): Promise<void> {
		removeRunnerFile(runner.home);
		await runner[Symbol.asyncDispose]();
	}
	if (sign.ok) return ok({ runner, engine: runner.engine, project, [Symbol.asyncDispose]: close });
	await close();
	return sign;
}

const SILENT = { log: () => {}, hide: () => {} };

function playAll(stories: readonly Story[], deps: { engine: Engine; project: Project; speed: number }): AsyncDisposable {
	const over = new AbortController();
	const playing = stories.map((story) => playStory(story, { ...deps, signal: over.signal }));
	return {
		async [Symbol.asyncDispose]() {
			over.abort();
			await Promise.all(playing);
		},
	};
}
