// The parrot as an agent that Roost drives.
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { ok } from '@roost/protocol/result';
import { drivenCapabilities } from '../base/capabilities.ts';
import { DEFAULT_MODE } from '../live/event-reporter.ts';
import { refuseMode, refuseModel } from '../live/gate.ts';
import { createLiveDrivable, type DriveDeps } from '../live/live-agent.ts';
import { connectParrot } from './parrot-wire.ts';

const CAPABILITIES = drivenCapabilities('parrot', { questionHook: null, canResume: false });

export function createParrotAgent(deps: DriveDeps): DrivableAgent {
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
