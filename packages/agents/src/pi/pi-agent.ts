// Pi, driven over its RPC: one process per session, with Roost's gate loaded into it.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { drivenCapabilities } from '../base/capabilities.ts';
import type { PiConfig } from '../kind/agent-kind.ts';
import { createLiveDrivable, type DriveDeps } from '../live/live-agent.ts';
import { PI_USUAL_KEY } from './pi-environment.ts';
import { connectPi } from './pi-wire.ts';
import { createHasPrompt } from './session-files.ts';
import { refuseRequest } from './start-argv.ts';

export const PI_CAPABILITIES = drivenCapabilities('pi');

/** `newId` makes UUIDs, under which conversations are stored. */
export type PiAgentDeps = DriveDeps & {
	config?: PiConfig | undefined;
	/** Additional extensions, by absolute path. */
	extensions?: readonly string[] | undefined;
};

export function createPiAgent(deps: PiAgentDeps): DrivableAgent {
	const { command, config = {}, extensions = [] } = deps;
	return createLiveDrivable(
		{
			capabilities: PI_CAPABILITIES,
			usualKey: PI_USUAL_KEY,
			title: 'Pi',
			refuse: refuseRequest,
			connect: (live, request) => connectPi(live, request, { command, env: deps.env(request.session ?? ''), config, extensions }),
			hasPrompt: createHasPrompt(deps.env('')),
		},
		deps,
	);
}
