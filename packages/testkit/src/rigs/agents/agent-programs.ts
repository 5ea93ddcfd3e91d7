// Finds the real agents that come with the repository for its tests, so that tests never run those of the machine.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '@roost/machine/find-program';
import type { Requirement } from '../requirements.ts';

export type AgentProgram = 'codex' | 'pi' | 'copilot';

const PACKAGES: Record<AgentProgram, string> = {
	codex: '@openai/codex',
	pi: '@earendil-works/pi-coding-agent',
	copilot: '@github/copilot',
};

/** The program as npm installs it; it is started by the node that runs the tests. */
export function findAgentProgram(agent: AgentProgram): string | null {
	const path = join(MODULES, '.bin', agent);
	return isExecutable(path) ? path : null;
}

/** For tests that said what they need before. */
export function needProgram(agent: AgentProgram): string {
	return findAgentProgram(agent) ?? raise(agentProgram(agent).missing);
}

/** For `cannotRun`. */
export function agentProgram(agent: AgentProgram): Requirement {
	if (findAgentProgram(agent) !== null) return { name: agent };
	return { name: agent, missing: `${PACKAGES[agent]} is not installed: run \`npm install\` without --omit=dev.` };
}

/** The version that the tests pin. */
export function agentProgramVersion(agent: AgentProgram): string {
	const manifest: unknown = JSON.parse(readFileSync(join(MODULES, PACKAGES[agent], 'package.json'), 'utf8'));
	if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
	throw new Error(`${PACKAGES[agent]} has no version`);
}

const MODULES = join(dirname(fileURLToPath(import.meta.url)), '../../../../../node_modules');

function raise(message: string | undefined): never {
	throw new Error(message);
}
