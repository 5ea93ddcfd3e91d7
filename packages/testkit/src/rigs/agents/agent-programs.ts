// Finds the real agents that the repository installs for its tests, so that tests never run those of the machine.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findEmbeddedClaude, type Platform } from '@roost/agents/claude/cli/embedded-claude';
import { isExecutable } from '@roost/machine/find-program';
import type { Requirement } from '../requirements.ts';

export type AgentProgram = 'claude' | 'codex' | 'pi' | 'copilot';

const HERE: Platform = { os: process.platform, arch: process.arch };

/** The program as npm installs it; the node that runs the tests starts it. */
export function findAgentProgram(agent: AgentProgram, platform = HERE): string | null {
	if (agent === 'claude') return findEmbeddedClaude(platform);
	const path = join(MODULES, '.bin', agent);
	return isExecutable(path) ? path : null;
}

export function needProgram(agent: AgentProgram): string {
	const path = findAgentProgram(agent);
	if (path === null) throw new Error(agentProgram(agent).missing);
	return path;
}

/** For `cannotRun`. */
export function agentProgram(agent: AgentProgram, platform = HERE): Requirement {
	if (findAgentProgram(agent, platform) !== null) return { name: agent };
	const missing = `${packageOf(agent, platform)} is not installed: run \`npm ci\` without --omit=optional or --omit=dev.`;
	return { name: agent, missing };
}

/** The version that the tests pin. */
export function agentProgramVersion(agent: AgentProgram): string {
	const name = packageOf(agent, HERE);
	const manifest: unknown = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8'));
	if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
	throw new Error(`${name} has no version`);
}

function packageOf(agent: AgentProgram, { os, arch }: Platform): string {
	const packages: Record<AgentProgram, string> = {
		claude: `@anthropic-ai/claude-agent-sdk-${os}-${arch}`,
		codex: '@openai/codex',
		pi: '@earendil-works/pi-coding-agent',
		copilot: '@github/copilot',
	};
	return packages[agent];
}

const MODULES = join(dirname(fileURLToPath(import.meta.url)), '../../../../../node_modules');
