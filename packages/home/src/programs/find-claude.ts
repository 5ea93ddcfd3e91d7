// Which claude is run, and what it finds in its environment.
import { claudeKind } from '@roost/agents/claude/claude-kind';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import type { Result } from '@roost/protocol/result';
import { findAgent } from './find-agent.ts';

export type Argv = readonly [string, ...string[]];

export function findClaude(configured: readonly string[] | undefined, env: NodeJS.ProcessEnv): Result<Argv> {
	return findAgent(claudeKind.known, configured, env);
}

/** What it finds in its environment: the user's, without what belongs to Roost, and with what is configured for it. */
export function claudeEnvironment(env: NodeJS.ProcessEnv, configured: Record<string, string>): NodeJS.ProcessEnv {
	return withoutRoost({ ...env, ...configured });
}
