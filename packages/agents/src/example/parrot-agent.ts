// The parrot as an agent that Roost drives.

import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { ok } from '@roost/protocol/result';
import { drivenCapabilities } from '../base/capabilities.ts';
import { DEFAULT_MODE } from '../live/event-reporter.ts';
import { openLiveAgent } from '../live/live-agent.ts';
import { refuseMode, refuseModel } from '../live/modes.ts';
import { connectParrot, type ParrotDeps } from './parrot-wire.ts';

const CAPABILITIES = drivenCapabilities('parrot', { questionHook: null, canResume: false });

export function createParrotAgent(deps: ParrotDeps): DrivableAgent {
	const refuse = (request: DrivenRequest) => deps.unavailable ?? refuseRequest(request);
	return {
		capabilities: CAPABILITIES,
		refuse,
		open: (request) =>
			openLiveAgent({
				capabilities: CAPABILITIES,
				title: 'The parrot',
				request,
				refusal: refuse(request),
				connect: (live) => connectParrot(request, deps, live),
			}),
		// It keeps nothing: what was said to one that is gone is gone too.
		hasPrompt: async () => ok(false),
	};
}

function refuseRequest({ resume, model, permissionMode = DEFAULT_MODE }: DrivenRequest): string | null {
	if (resume) return 'A parrot forgets everything: start a new session.';
	return refuseModel(model) ?? refuseMode(permissionMode);
}
