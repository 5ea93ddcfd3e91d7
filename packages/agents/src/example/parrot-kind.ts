// The parrot as a kind of agent.
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { ok } from '@roost/protocol/result';
import { createAgentEnvironment } from '../base/agent-environment.ts';
import { quoteArgv } from '../base/argv.ts';
import { drivenCapabilities } from '../base/capabilities.ts';
import { buildEnv, deployFile, removeAll } from '../base/deploy-file.ts';
import { summariseUsage } from '../base/transcripts.ts';
import type { AgentAdapter } from '../base/types.ts';
import { type AgentKind, NOT_SUPPORTED } from '../kind/agent-kind.ts';
import { DEFAULT_MODE } from '../live/event-reporter.ts';
import { refuseMode, refuseModel } from '../live/gate.ts';
import { createLiveDrivable, type DriveDeps } from '../live/live-agent.ts';
import { connectParrot } from './parrot-wire.ts';

export function createParrotAdapter(): AgentAdapter {
	return {
		id: 'parrot',
		title: 'Parrot',
		program: 'parrot',
		instructionPath: 'PARROT.md',
		traits: { hasTerminal: false, verifiesBeacon: false, connects: null, guard: 'none: a parrot has no hooks' },
		buildSpawnCommand: ({ program = ['parrot'], model, deployed }) =>
			quoteArgv([...program, `--model=${model}`, ...(deployed?.argv ?? [])]),
		buildPrintCommand: (prompt, model) => [
			'parrot',
			'--print',
			...(model === undefined ? [] : [`--model=${model}`]),
			'--',
			prompt,
		],
		async deployConfig(_worktreePath, overlay, { stateDir }) {
			if (!overlay) return { argv: [], env: {}, files: [], remove: async () => {} };
			const path = deployFile(stateDir, overlay.content, 'instructions.md');
			return { argv: [`--instructions=${path}`], env: {}, files: [path], remove: () => removeAll([path]) };
		},
		// It has no terminal.
		detectReady: () => ({ phase: 'ready' }),
		parseTranscript: async () => null,
		buildEnv,
	};
}

const CAPABILITIES = drivenCapabilities('parrot', { questionHook: null, canResume: false });

function createParrotAgent(deps: DriveDeps): DrivableAgent {
	return createLiveDrivable(
		{
			capabilities: CAPABILITIES,
			title: 'The parrot',
			refuse: refuseRequest,
			connect: (live, request) => connectParrot(request, deps, live),
			// It keeps no conversation.
			hasPrompt: async () => ok(false),
		},
		deps,
	);
}

function refuseRequest({ resume, model, permissionMode = DEFAULT_MODE }: DrivenRequest): string | null {
	if (resume) return 'A parrot forgets everything: start a new session.';
	return refuseModel(model) ?? refuseMode(permissionMode);
}

const toParrotEnvironment = createAgentEnvironment({
	inherited: [{ why: 'the model is where the user has it', names: ['PARROT_MODEL_URL'] }],
	withheld: [],
});

export const parrotKind: AgentKind = {
	known: {
		id: 'parrot',
		title: 'Parrot',
		program: 'parrot',
		version: /^parrot (\d+\.\d+\.\d+)$/m,
		oldest: '1.0.0',
		observed: null,
	},
	adapter: createParrotAdapter,
	environment: toParrotEnvironment,
	models: {},
	drive: ({ env, configured, command, unavailable }) =>
		createParrotAgent({
			command,
			env: (session) => toParrotEnvironment({ processEnv: env, configured, session }),
			unavailable,
		}),
	canary: null,
	observed: null,
	summarise: summariseUsage(createParrotAdapter()),
	...NOT_SUPPORTED,
};
