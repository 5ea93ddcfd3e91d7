// Any agent that speaks the Agent Client Protocol, driven: one process for each session, its questions through Roost's gate.
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import { DEFAULT_MODE, type EventReporter } from '../live/event-reporter.ts';
import { openLiveAgent } from '../live/live-agent.ts';
import { refuseMode, refuseModel } from '../live/modes.ts';
import { type AcpExtras, createAcpWire, NO_EXTRAS } from './acp-wire.ts';

export type AcpAgentDeps = {
	/** As it is asked for: `acp:gemini --acp`. */
	agent: string;
	/** As people know it. */
	title: string;
	/** The variable in which it looks for the key of its provider. */
	usualKey?: string | undefined;
	/** Its program and the arguments that make it speak. */
	argv: (request: DrivenRequest) => readonly [string, ...string[]];
	/** The whole environment of the agent of a session. */
	env: (session: string) => Readonly<Record<string, string>>;
	/** Why it cannot be started here at all. */
	unavailable?: string | undefined;
	capabilities?: Partial<RuntimeCapabilities> | undefined;
	/** Made for each session. */
	extras?: ((request: DrivenRequest, report: Report) => AcpExtras) | undefined;
	timers?: Timers | undefined;
	now?: (() => number) | undefined;
	newId?: (() => string) | undefined;
};

/** Tells an event of the session that no update of the protocol holds. */
export type Report = EventReporter['report'];

const CAPABILITIES: Omit<RuntimeCapabilities, 'agent'> = {
	canBlock: true,
	canAsk: true,
	questionHook: null,
	takesPrompts: true,
	canInterrupt: true,
	canResume: true,
	canLimitTurns: false,
	gate: { gated: false, why: 'it decides by itself which calls it asks about, and the others are only reported' },
};

export function createAcpAgent(deps: AcpAgentDeps): DrivableAgent {
	const capabilities: RuntimeCapabilities = { ...CAPABILITIES, agent: deps.agent, ...deps.capabilities };
	const refuse = (request: DrivenRequest) =>
		deps.unavailable ?? refuseModel(request.model) ?? refuseMode(request.permissionMode ?? DEFAULT_MODE) ?? refuseId(request);
	return {
		capabilities,
		refuse,
		open: (request) =>
			openLiveAgent({
				...deps,
				capabilities,
				request,
				refusal: refuse(request),
				connect(live) {
					const extras = deps.extras?.(request, live.reporter.report) ?? NO_EXTRAS;
					const { title } = deps;
					return createAcpWire({ title, argv: deps.argv(request), env: deps.env(request.session ?? ''), request, extras }, live);
				},
			}),
		// The protocol gives a prompt no name, so the agent's conversation has none to be found by.
		hasPrompt: async () => err(new AppError('agent_failed', `${deps.title} does not keep the ids of prompts.`)),
	};
}

/** What an agent calls its sessions is its own; what could be read as a flag or breaks a line is nobody's. */
const NATIVE_ID = /^[A-Za-z0-9][\w.:@/-]{0,199}$/;

function refuseId({ resume }: DrivenRequest): string | null {
	return resume === undefined || NATIVE_ID.test(resume.nativeId) ? null : 'This is not the id of a conversation.';
}
