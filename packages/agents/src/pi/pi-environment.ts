// What a driven Pi needs in its environment besides what every agent does.
import { createAgentEnvironment } from '../agent-environment.ts';
import { PROVIDER_VARIABLES } from '../provider-variables.ts';

export const toPiEnvironment = createAgentEnvironment({
	inherited: [{ why: 'Pi finds its configuration and its sessions', names: ['PI_*'] }, PROVIDER_VARIABLES],
	// By this a program knows that it runs inside of Pi.
	withheld: ['PI_CODING_AGENT'],
});
