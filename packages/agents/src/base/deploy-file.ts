// What Roost deploys for an agent that it starts: private files outside the worktree, and variables that name the agent.
import { rm } from 'node:fs/promises';
import { writePrivateFile } from '@roost/machine/private-file';
import type { AgentIdentity, ResolvedModel } from './types.ts';

/** Returns the path. Throws an `AppError` where it cannot be written: no agent starts with half of its files. */
export function deployFile(directory: string, content: string | object, name: string): string {
	const written = writePrivateFile(directory, content, name);
	if (!written.ok) throw written.error;
	return written.value;
}

export async function removeAll(paths: readonly string[]): Promise<void> {
	await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
}

export function buildEnv({ env = {} }: ResolvedModel, who?: AgentIdentity): Record<string, string> {
	return { ...env, ...(who && toIdentityEnv(who)) };
}

export function toIdentityEnv({ agentName, worktreePath }: AgentIdentity): Record<string, string> {
	return { ROOST_AGENT_NAME: agentName, ROOST_WORKTREE_PATH: worktreePath };
}
