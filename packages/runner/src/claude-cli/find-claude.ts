// Which claude is run: the one that is configured, else the user's own, else the one that Roost brings.
import { isAbsolute } from 'node:path';
import { findEmbeddedClaude } from '@roost/agents/claude/cli/embedded-claude';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { findProgram } from '../observed/find-program.ts';

export type Argv = readonly [string, ...string[]];

export function findClaude(configured: readonly string[] | undefined, env: NodeJS.ProcessEnv): Result<Argv> {
	const [program, ...args] = configured ?? [];
	if (program !== undefined) {
		const path = isAbsolute(program) ? program : findProgram(program, env);
		return path
			? ok([path, ...args])
			: err(cannotStart(`agents.claude.command names ${program}, which is not on your PATH: mend it.`));
	}
	const path = findProgram('claude', env) ?? findEmbeddedClaude();
	return path ? ok([path]) : err(cannotStart('claude was not found on your PATH: install Claude Code, then try again.'));
}

/** What it finds in its environment: the user's, without what belongs to Roost, and with what is configured for it. */
export function claudeEnvironment(env: NodeJS.ProcessEnv, configured: Record<string, string>): NodeJS.ProcessEnv {
	return withoutRoost({ ...env, ...configured });
}

function cannotStart(sentence: string): AppError {
	return new AppError('cannot_start', sentence);
}
