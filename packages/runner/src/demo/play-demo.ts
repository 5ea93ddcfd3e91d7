// Plays the demo through the real engine into the real record.
import { createMockRuntime } from '@roost/agents/mock/scripted-replay';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { createBindings } from '../observed/bindings.ts';
import { routeLaunch } from '../observed/route-launch.ts';
import { findProject } from '../project.ts';
import { newSessionId } from '../short-id.ts';
import { startDemoRunner } from './demo-runner.ts';
import { demoRules } from './rules.ts';
import { demoScript } from './script.ts';

export type DemoOptions = {
	env: NodeJS.ProcessEnv;
	cwd: string;
	speed: number;
	signal: AbortSignal;
	onEvents: (events: readonly FeedEvent[]) => void;
};

export async function playDemo(options: DemoOptions): Promise<Result<{ sessionId: SessionId }>> {
	const project = await findProject(options.cwd);
	const rules = demoRules(project.id, Date.now());
	const started = startDemoRunner({ env: options.env, rules, askTimeoutMs: 10_000 });
	if (!started.ok) return started.error.code === 'store_busy' ? err(runnerIsUp(started.error)) : started;
	await using runner = started.value;
	const first = newSessionId();
	const runtime = createMockRuntime(demoScript(project.path, `demo-${first}`), { speed: options.speed });
	using _route = routeLaunch({
		engine: runner.engine,
		bindings: createBindings({ store: runner.store, first, newSessionId }),
		runtime,
		project,
		gate: 'observe',
		now: Date.now,
		onProblem: () => {},
	});
	const over = Promise.withResolvers<void>();
	runner.engine.onTold(({ events }) => {
		options.onEvents(events);
		if (events.some((event) => event.kind === 'session.end')) over.resolve();
	});
	options.signal.addEventListener('abort', () => over.resolve(), { once: true });
	runtime.start();
	await over.promise;
	runtime.stop();
	await runner.engine.settled();
	return ok({ sessionId: first });
}

/** The demo writes the record itself, and a record has one writer. */
function runnerIsUp(cause: AppError): AppError {
	const message =
		'A runner is up and writes this record: stop it with "roost down", or give the demo a place of its own with ROOST_HOME.';
	return new AppError('store_busy', message, { cause });
}
