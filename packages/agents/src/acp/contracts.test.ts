// The contract of driven agents, for agents behind the generic ACP client: a scripted one, and the real copilot.
import { ASKS, type PeerPlan } from '@roost/testkit/fakes/acp-peer-plan';
import { openAcpPeerRig } from '@roost/testkit/rigs/agents/acp-rig';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { copilotWords, openAcpRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { allowAll, listenTo } from '@roost/testkit/rigs/agents/driven-story';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { describe, expect, it } from 'vitest';
import { contractScript, describeConnectionContract } from '../live/connection.contract.ts';
import { describeReporterContract } from '../live/event-reporter.contract.ts';
import { createEventReporter } from '../live/event-reporter.ts';
import { createAcpAgent } from './open-acp-agent.ts';

const PLAN: PeerPlan = {
	resumesBy: 'load',
	forks: true,
	turns: {
		'say hello': [{ act: 'say', chunks: ['Hello, ', 'you.'] }],
		'long text': [{ act: 'say', chunks: ['one ', 'two ', 'three '], everyMs: 2000 }],
		'make a file': [
			{
				act: 'call',
				call: { id: 'c1', kind: 'execute', title: 'touch made', input: { command: 'touch made' }, asks: ASKS, makes: 'made' },
			},
			{ act: 'say', chunks: ['It is ', 'made.'] },
		],
	},
};

const prompts = { answered: 'say hello', long: 'write a long text', acts: 'make a file' };

describeConnectionContract('a scripted ACP agent', async () => {
	const rig = await openAcpPeerRig(PLAN);
	return { open: rig.open, pass: () => {}, prompts, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
});

describe.skipIf(cannotRun([agentProgram('copilot')]))('the real copilot behind the generic ACP client', () => {
	it('requests permission for a command, is reported as not fully gated, and resumes its conversation', async () => {
		await using rig = await openAcpRig({ script: contractScript(copilotWords.shell) });
		const request = { cwd: rig.project, gate: 'enforce' } as const;
		const first = listenTo(rig.agent.open(request), allowAll);
		const { sessionId: nativeId } = await first.ask('make a file');
		expect(first.payloads('PermissionRequest')).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'touch made' } }]);
		expect(rig.agent.capabilities.gate).toMatchObject({ gated: false });
		first.connection.close();
		const second = listenTo(rig.agent.open({ ...request, resume: { nativeId, fork: false } }), allowAll);
		expect(await second.ask('say hello')).toMatchObject({ hookName: 'Stop', sessionId: nativeId });
		second.connection.close();
	});

	// Each start of the real program takes seconds, and Copilot's own adapter runs the same contract every time.
	if (process.env.ROOST_SOAK === '1')
		describeConnectionContract('copilot --acp', async () => {
			const rig = await openAcpRig({ script: contractScript(copilotWords.shell) });
			return {
				cannot: { fork: 'the protocol offers it, and Copilot does not' },
				open: rig.open,
				pass: () => {},
				prompts,
				[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
			};
		});
});

const { capabilities } = createAcpAgent({ agent: 'acp:x', title: 'X', argv: () => ['x'], env: () => ({}) });
describeReporterContract('the voice of a driven ACP agent', (deps) => createEventReporter({ ...deps, capabilities }));
