// The real `pi` against a scripted model, driven through Roost's adapter, with a home and a repository of its own.
import { createPiAgent, type PiAgentDeps } from '@roost/agents/pi/pi-wire';
import type { DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { startFakeAnthropic } from '../../fakes/anthropic-server.ts';
import { callTool } from '../../fakes/model-reply.ts';
import type { Script } from '../../fakes/script.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { createTempDir } from '../temp-dir.ts';
import { findAgentProgram } from './agent-programs.ts';
import type { AgentRig, AgentWords } from './agent-rig.ts';
import { allowAll, type DrivenStory, listenTo, type TestGate } from './driven-story.ts';
import { createPiHome, PI_MODEL } from './pi-home.ts';

export type PiRig = AgentRig & {
	readonly agentDir: string;
	/** The `pi` program itself. */
	readonly program: string;
	/** Stopped. */
	open(request?: Partial<DrivenRequest>): DrivenAgent;
	/** Started, and heard by the test. */
	start(request?: Partial<DrivenRequest>, gate?: TestGate): DrivenStory;
};

export const piWords: AgentWords = {
	shell: (command) => callTool('bash', { command }),
	write: (path, text) => callTool('write', { path, content: text }),
	read: (path) => callTool('read', { path }),
	question: () => null,
};

export async function openPiRig(options: {
	script: Script;
	env?: Readonly<Record<string, string>>;
	deps?: Partial<PiAgentDeps>;
}): Promise<PiRig> {
	const program = findAgentProgram('pi');
	if (program === null) throw new Error('pi is not installed: run `npm install` without --omit=dev.');
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	// Pi gives the commands it runs process groups of their own, so ending its group is not enough.
	stack.defer(() => endProcessesWithEnv(temp.path));
	const model = stack.use(await startFakeAnthropic(options.script));
	const place = await createPiHome(temp.path, model.url);
	const env = { ...place.env, ...options.env };
	const agent = createPiAgent({ env: () => env, command: [program], ...options.deps });
	const opened: DrivenAgent[] = [];
	const open = (request: Partial<DrivenRequest> = {}) => {
		const driven = agent.open({ cwd: place.project, gate: 'enforce', model: PI_MODEL, ...request });
		opened.push(driven);
		return driven;
	};
	const owned = stack.move();
	return {
		...place,
		env,
		agent,
		program,
		requests: model.requests,
		open,
		start: (request, gate = allowAll) => listenTo(open(request), gate),
		async [Symbol.asyncDispose]() {
			for (const { connection } of opened) connection.close();
			await owned.disposeAsync();
		},
	};
}
