// A runner that was used for a while: usage of many days, calls with decisions, rules, a project and its past sessions.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { projectId } from '@roost/protocol/ids';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '../agents/past-claude.ts';
import { sampleUsage, tokens, writeRecord } from '../record/sample-append.ts';
import { askToUse, type InProcessRunner, type PlayedAgent, startRunner } from '../runner/runner-rig.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

export const PAST_SESSION = '5f0c8f7e-0000-4000-8000-000000000001';
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';
const DAY_MS = 86_400_000;

export type WorkedRunner = InProcessRunner & {
	/** A git repository with past sessions. */
	readonly app: string;
	/** The session of an agent whose calls were allowed and denied. */
	readonly worker: PlayedAgent;
	/** The worker's own id of its session. */
	readonly nativeId: string;
};

export async function startWorkedRunner(): Promise<WorkedRunner> {
	await using stack = new AsyncDisposableStack();
	const home = join(stack.use(await createTempDir()).path, 'roost');
	await mkdir(home, { mode: 0o700 });
	await writeRecord(join(home, 'roost.db'), usageOfWeeks(Date.now()));
	const config = { projects: { roots: ['~/code'] } };
	const runner = stack.use(await startRunner({ home, config, agent: 'claude', drives: mockAgent({ speed: 20 }) }));
	const app = await createProject(runner.env);
	const worker = await runner.openLaunch();
	await work(runner, worker);
	const owned = stack.move();
	return { ...runner, app, worker, nativeId: NATIVE, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Two sessions with several models, on every second day of 40. */
function usageOfWeeks(now: number): ReturnType<typeof sampleUsage>[] {
	const barn = {
		agent: 'codex',
		projectId: projectId.parse('/code/barn'),
		projectPath: '/code/barn',
		title: 'Repair the barn door',
	};
	const nest = { projectId: projectId.parse('/code/nest'), projectPath: '/code/nest', title: 'Count the herons' };
	return Array.from({ length: 20 }, (_, at) => at).flatMap((at) => {
		const day = new Date(now - (40 - 2 * at) * DAY_MS);
		// Totals of a session only grow.
		const work = at * at + 3 * ((at * at * at) % 17 > 8 ? at + 1 : at) + 9;
		const used = (step: number) => tokens(step * work * 134, step * work * 12, step * work * 900, step * work * 70);
		return [
			sampleUsage('nest', at + 1, day, { 'claude-opus-5': used(3), 'claude-haiku-4-5': used(1) }, nest),
			sampleUsage('barn', at + 1, day, { 'gpt-6.1-sol': used(2) }, barn),
		];
	});
}

async function createProject(env: Readonly<Record<string, string>>): Promise<string> {
	const user = env.HOME ?? '';
	const app = join(user, 'code', 'app');
	await mkdir(app, { recursive: true });
	await createGitRepository(app, env);
	const past = await createPastClaude(join(user, '.claude'));
	const at = Date.now() - DAY_MS;
	await past.add({
		cwd: app,
		id: PAST_SESSION,
		lines: [
			pastPrompt('Repair the gate', { at }),
			pastCall('Bash', { command: 'npm run gate' }, { id: 't1', at: at + 1_000 }),
			pastResult('t1', 'ok', { at: at + 2_000 }),
			pastAnswer('The gate closes again.', { at: at + 3_000 }),
		],
	});
	return app;
}

/** Three calls without a request, one that was allowed and one that was denied. */
async function work({ api }: InProcessRunner, worker: PlayedAgent): Promise<void> {
	const session_id = NATIVE;
	await worker.report({ session_id, hook_event_name: 'SessionStart', source: 'startup' });
	await worker.report({ session_id, hook_event_name: 'UserPromptSubmit', prompt: 'Find out why the heron left its nest' });
	for (const command of ['git status', 'git log', 'git push --tags']) {
		await worker.report({ session_id, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
	}
	for (const [command, decision] of [
		['git push', 'allow'],
		['git push --force', 'deny'],
	] as const) {
		const asked = askToUse(worker, 'Bash', { command }, session_id);
		const ask = await waitFor(async () => unwrap(await api.asks.list())[0], { what: 'a request' });
		unwrap(await api.asks.approve({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision }));
		await asked;
	}
	unwrap(await api.rules.add({ tool: 'Bash', argsPattern: 'git status *', decision: 'allow', scope: 'user' }));
	unwrap(await api.rules.add({ tool: 'Bash', argsPattern: 'rm -rf *', decision: 'deny', scope: 'user', forMs: 7_200_000 }));
	unwrap(await api.rules.add({ tool: 'WebFetch', decision: 'ask', scope: 'session', scopeId: worker.sessionId ?? '' }));
}
