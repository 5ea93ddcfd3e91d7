// Starts the agent's own program as its user would, observed, and compares its reports with what it did.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRig } from '@roost/testkit/rigs/agents/agent-rig';
import { ALLOW, NO_OPINION } from '@roost/testkit/rigs/agents/driven-story';
import { type ObservedLaunch, openObservedLaunch } from '@roost/testkit/rigs/agents/observed-launch';
import { startProgram } from '@roost/testkit/rigs/program';
import { expect } from 'vitest';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import type { Launch, Launchable } from '../kind/observed-kind.ts';
import { PROMPTS } from './script.contract.ts';

export type ObservedStage = {
	readonly protocol: HookProtocol;
	/** The arguments for one prompt without a terminal, as Roost launches it. */
	toArgv(prompt: string, launch: ObservedLaunch, cwd: string): Promise<readonly string[]>;
};

const DEADLINE_MS = 120_000;

export async function proveObserved(
	{ protocol, toArgv }: ObservedStage,
	program: readonly [string, ...string[]],
	{ project: cwd, env }: Pick<AgentRig, 'project' | 'env'>,
): Promise<void> {
	await using launch = await openObservedLaunch(protocol, 'observe', ({ hookName }) =>
		hookName === 'PreToolUse' ? NO_OPINION : ALLOW,
	);
	const argv = [...program, ...(await toArgv(PROMPTS.act, launch, cwd))] as const;
	await using running = await startProgram(argv, { cwd, env: { ...env, ...launch.env } });
	expect(await running.waitForExit(DEADLINE_MS)).toMatchObject({ code: 0 });
	const call = { tool_name: 'Bash', tool_input: { command: expect.stringContaining('made.txt') } };
	expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
	expect(launch.reported('SessionStart')).toHaveLength(1);
	expect(launch.reported('UserPromptSubmit')).toMatchObject([{ prompt: PROMPTS.act }]);
	expect(launch.reported('PreToolUse')).toMatchObject([call]);
	expect(launch.reported('PostToolUse')).toMatchObject([call]);
	expect(launch.reported('Stop')).toHaveLength(1);
	expect(launch.events.at(-1)?.hookName).toBe('SessionEnd');
}

type Preparing = { prepare(launch: Launch): ReturnType<Launchable['prepare']> };

/** The arguments that `roost <agent>` derives from the user's. */
export function launched(launchable: Preparing, toArgs: (prompt: string) => readonly string[]): ObservedStage['toArgv'] {
	return async (prompt, { dir, forwarder }, cwd) => {
		const prepared = await launchable.prepare({
			args: toArgs(prompt),
			gate: 'observe',
			cwd,
			command: ['unused'],
			env: {},
			dir,
			forwarder,
		});
		if (!prepared.ok) throw prepared.error;
		return prepared.value.argv;
	};
}
