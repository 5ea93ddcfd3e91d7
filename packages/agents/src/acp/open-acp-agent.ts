// A driven agent that speaks the Agent Client Protocol: one process per session, its permission requests through Roost's gate.
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { AppError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import { drivenCapabilities } from '../base/capabilities.ts';
import { DEFAULT_MODE, type EventReporter } from '../live/event-reporter.ts';
import { refuseMode, refuseModel } from '../live/gate.ts';
import { createLiveDrivable, type DriveDeps } from '../live/live-agent.ts';
import { type AcpExtras, createAcpWire, NO_EXTRAS } from './acp-wire.ts';

export type AcpAgentDeps = Omit<DriveDeps, 'command'> & {
	/** The name it was requested by: `acp:gemini --acp`. */
	agent: string;
	title: string;
	usualKey?: string | undefined;
	argv: (request: DrivenRequest) => readonly [string, ...string[]];
	capabilities?: Partial<RuntimeCapabilities> | undefined;
	extras?: ((request: DrivenRequest, report: Report) => AcpExtras) | undefined;
};

/** Reports an event of the session that no update of the protocol contains. */
export type Report = EventReporter['report'];

export function createAcpAgent(deps: AcpAgentDeps): DrivableAgent {
	const { agent, title, usualKey } = deps;
	return createLiveDrivable(
		{
			capabilities: drivenCapabilities(agent, { questionHook: null, gate: NOT_GATED, ...deps.capabilities }),
			usualKey,
			title,
			refuse: (request) => refuseModel(request.model) ?? refuseMode(request.permissionMode ?? DEFAULT_MODE) ?? refuseId(request),
			connect(live, request) {
				const extras = deps.extras?.(request, live.reporter.report) ?? NO_EXTRAS;
				return createAcpWire({ title, argv: deps.argv(request), env: deps.env(request.session ?? ''), request, extras }, live);
			},
			// The protocol gives prompts no id to find them by.
			hasPrompt: async () => err(new AppError('agent_failed', `${title} does not keep the ids of prompts.`)),
		},
		deps,
	);
}

const NOT_GATED = {
	gated: false,
	why: 'it decides by itself which calls it asks about, and the others are only reported',
} as const;

/** No flags and no line breaks. */
const NATIVE_ID = /^[A-Za-z0-9][\w.:@/-]{0,199}$/;

function refuseId({ resume }: DrivenRequest): string | null {
	return resume === undefined || NATIVE_ID.test(resume.nativeId) ? null : 'This is not the id of a conversation.';
}
