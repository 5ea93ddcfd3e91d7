// Pi, driven over its RPC: one process for each session, and Roost's gate loaded into it.

import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Timers } from '@roost/machine/timers';
import { drivenCapabilities } from '../base/capabilities.ts';
import type { PiConfig } from '../kind/agent-kind.ts';
import { openLiveAgent } from '../live/live-agent.ts';
import { createHasPrompt } from './has-prompt.ts';
import { PI_USUAL_KEY } from './pi-environment.ts';
import { connectPi } from './pi-wire.ts';
import { refuseRequest } from './start-argv.ts';

export const PI_CAPABILITIES = drivenCapabilities('pi');

export type PiAgentDeps = {
	/** The whole environment of the agent of a session. */
	env: (session: string) => Readonly<Record<string, string>>;
	/** The program of Pi, and what it is started through. */
	command: readonly [string, ...string[]];
	/** Why it cannot be started here at all. */
	unavailable?: string | undefined;
	config?: PiConfig | undefined;
	/** Extensions that the user wants in driven sessions too, by absolute path. */
	extensions?: readonly string[] | undefined;
	timers?: Timers | undefined;
	now?: (() => number) | undefined;
	/** UUIDs: conversations are kept under them. */
	newId?: (() => string) | undefined;
};

export function createPiAgent(deps: PiAgentDeps): DrivableAgent {
	const { command, config = {}, extensions = [], timers, now, newId } = deps;
	const refuse: DrivableAgent['refuse'] = (request) => deps.unavailable ?? refuseRequest(request);
	return {
		capabilities: PI_CAPABILITIES,
		refuse,
		open: (request) =>
			openLiveAgent({
				capabilities: PI_CAPABILITIES,
				usualKey: PI_USUAL_KEY,
				title: 'Pi',
				request,
				refusal: refuse(request),
				connect: (live) => connectPi(live, request, { command, env: deps.env(request.session ?? ''), config, extensions }),
				timers,
				now,
				newId,
			}),
		hasPrompt: createHasPrompt(deps.env('')),
	};
}
