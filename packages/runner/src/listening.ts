// Who the runner listens to: agents that were launched through it, and those of projects whose hooks are installed.
import { randomUUID } from 'node:crypto';
import type { HookServer } from '@roost/agents/hooks/server';
import { createInstalledProjects, installedDir } from '@roost/home/installed-projects';
import { ok, type Result } from '@roost/protocol/result';
import type { Engine } from './engine/engine.ts';
import { createInstalledSessions } from './observed/installed-sessions.ts';
import { createLaunchFiles } from './observed/launch-files.ts';
import { createLaunches, type Launches } from './observed/launches.ts';
import { startHooks } from './observed/start-hooks.ts';
import type { Foundations } from './record/foundations.ts';
import type { Projects } from './record/projects.ts';

export type Listening = AsyncDisposable & { launches: Launches };

export async function startListening(deps: {
	foundations: Foundations;
	engine: Engine;
	projects: Projects;
	/** Hooks as the launches see them; they may be watched. */
	watch: (server: HookServer) => HookServer;
	warn: (sentence: string) => void;
}): Promise<Result<Listening>> {
	await using stack = new AsyncDisposableStack();
	const { engine, projects, warn } = deps;
	const { store, home } = deps.foundations;
	const installed = stack.use(
		createInstalledSessions({
			engine,
			installed: createInstalledProjects(installedDir(home)),
			identify: projects.identify,
			isLaunched: (nativeId) => launches.reports(nativeId),
			now: Date.now,
			log: warn,
		}),
	);
	const server = await startHooks({ runDir: home.run, now: Date.now, newId: randomUUID });
	if (!server.ok) return server;
	stack.use(server.value).serveProjects(installed.findProject);
	const files = createLaunchFiles(home.run);
	const askTimeoutMs = deps.foundations.config.sdk.approvalTimeoutMs;
	const answers = { engine, store, server: deps.watch(server.value), files, projects, askTimeoutMs, now: Date.now, warn };
	const launches = stack.use(createLaunches(answers));
	launches.resume();
	const owned = stack.move();
	return ok({ launches, [Symbol.asyncDispose]: () => owned.disposeAsync() });
}
