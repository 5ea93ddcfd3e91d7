// The real `codex`, driven, against a scripted model; a test plays the gate. Nothing leaves loopback.
import { join } from 'node:path';
import { type CodexAgentDeps, createCodexAgent } from '@roost/agents/codex/live/codex-setup';
import type { DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { callTool } from '../../fakes/model-reply.ts';
import { startFakeResponses } from '../../fakes/responses-server.ts';
import type { Script } from '../../fakes/script.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { createTempDir } from '../temp-dir.ts';
import type { AgentRig, AgentWords } from './agent-rig.ts';
import { type CodexHome, createCodexHome } from './codex-home.ts';
import { allowAll, type DrivenStory, listenTo, type TestGate } from './driven-story.ts';
import { FORWARDER } from './observed-launch.ts';

export type CodexRig = AgentRig &
	CodexHome & {
		/** What the agent was made with. */
		readonly deps: CodexAgentDeps;
		/** Stopped. Closed with the rig. */
		open(request?: Partial<DrivenRequest>, deps?: Partial<CodexAgentDeps>): DrivenAgent;
		/** Started, and heard by the test. */
		start(request?: Partial<DrivenRequest>, gate?: TestGate, deps?: Partial<CodexAgentDeps>): DrivenStory;
	};

export async function openCodexRig(options: { script: Script; env?: Readonly<Record<string, string>> }): Promise<CodexRig> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	stack.defer(() => endProcessesWithEnv(temp.path));
	const model = stack.use(await startFakeResponses(options.script));
	const home = await createCodexHome(temp.path, model.url);
	const env = { ...home.env, ...options.env };
	const deps: CodexAgentDeps = {
		command: [home.binary],
		env: (session) => ({ ...env, ROOST_SESSION: session || 'driven' }),
		runDir: join(temp.path, 'run'),
		forwarder: FORWARDER,
		version: '0.0.0',
	};
	const opened: DrivenAgent[] = [];
	const agent = createCodexAgent(deps);
	const open: CodexRig['open'] = (request = {}, changed) => {
		const driven = (changed ? createCodexAgent({ ...deps, ...changed }) : agent).open({
			cwd: home.project,
			gate: 'enforce',
			...request,
		});
		opened.push(driven);
		return driven;
	};
	const owned = stack.move();
	return {
		...home,
		env,
		deps,
		agent,
		requests: model.requests,
		open,
		start: (request, gate = allowAll, changed) => listenTo(open(request, changed), gate),
		async [Symbol.asyncDispose]() {
			for (const { connection } of opened) connection.close();
			await owned.disposeAsync();
		},
	};
}

export const codexWords: AgentWords = {
	shell: (command) => callTool('exec_command', { cmd: command }),
	write: (path, text) => callTool('apply_patch', { input: toPatch([{ add: path, text }]) }),
	read: (path) => callTool('exec_command', { cmd: `cat ${path}` }),
	question: (question, choices) =>
		callTool('request_user_input', {
			questions: [{ id: 'q1', header: 'Question', question, options: choices.map((label) => ({ label, description: label })) }],
		}),
};

/** In the words of Codex' own tool for patches. */
export function toPatch(
	changes: readonly ({ add: string; text: string } | { update: string; from: string; to: string })[],
): string {
	const parts = changes.map((change) =>
		'add' in change
			? `*** Add File: ${change.add}\n${lines(change.text, '+')}`
			: `*** Update File: ${change.update}\n@@\n${lines(change.from, '-')}\n${lines(change.to, '+')}`,
	);
	return `*** Begin Patch\n${parts.join('\n')}\n*** End Patch\n`;
}

function lines(text: string, sign: '+' | '-'): string {
	return text
		.replace(/\n$/, '')
		.split('\n')
		.map((line) => `${sign}${line}`)
		.join('\n');
}
