// Starting and checking an agent use the same program.
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KNOWN_AGENTS } from '@roost/agents/kinds';
import { checkAgents } from '@roost/cli/doctor/check-agents';
import { type LaunchOptions, launchObserved } from '@roost/cli/launch/launch-observed';
import type { ApiClient } from '@roost/client/api-client';
import { loadConfig } from '@roost/home/config/load-config';
import { createAgentPrograms } from '@roost/home/programs/agent-programs';
import { findAgent } from '@roost/home/programs/agent-runs';
import { promptId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { openGuardProofs } from '@roost/runner/agents/prove-here';
import { openDrivable } from '@roost/runner/driven/open-drivable';
import { describe, expect, it } from 'vitest';
import { createMemoryMcpTrust } from '../rigs/api/memory-parts.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const NAMES = ['claude', 'codex', 'copilot', 'pi'] as const;
type Name = (typeof NAMES)[number];

describe.each(NAMES)('program of %s', (name) => {
	it.each(['on the PATH', 'configured'])('is the same for every use: %s', async (where) => {
		await using world = await openWorld(name, where === 'configured');
		for (const [use, start] of Object.entries(USES)) {
			await start(world);
			const started = await waitFor(world.started, { what: `${use} to start ${name}` });
			expect([use, [...new Set(started)]]).toEqual([use, [world.program]]);
			await world.forget();
		}
	});
});

describe('agent that is not installed', () => {
	it('falls back to the bundled program, if there is one', () => {
		const found = KNOWN_AGENTS.map((agent) => ({ id: agent.id, found: findAgent(agent, undefined, { PATH: '' }) }));
		for (const { id, found: program } of found) {
			if (id === 'claude') expect(unwrap(program)).toEqual([expect.stringMatching(/claude$/)]);
			else expect(unwrapError(program).message).toContain(`agents.${id}.command`);
		}
	});

	it('has no fallback if another program is configured', () => {
		for (const agent of KNOWN_AGENTS)
			expect(unwrapError(findAgent(agent, ['gone'], { PATH: '' })).message).toBe(
				`agents.${agent.id}.command names gone, which is not on your PATH: fix it in config.yaml.`,
			);
	});
});

const USES: Record<string, (world: World) => Promise<unknown>> = {
	doctor: ({ env, config, home }) => checkAgents(env, config, { data: home }, async () => null),
	async proof({ env, config, home, agent }) {
		await using programs = createAgentPrograms({ env, agents: config.agents });
		await using proofs = openGuardProofs({ programs, env, config, dataDir: home, warn: () => {}, timeLimitMs: 20_000 });
		unwrap(await proofs.prove(agent, { again: true }));
	},
	async drive({ env, config, home, name }) {
		const agent = openDrivable({ env, config, mcpTrust: createMemoryMcpTrust(), runDir: home }).get(name);
		const driven = agent?.open({ cwd: home, gate: 'enforce' });
		const { promise: ended, resolve } = Promise.withResolvers<void>();
		driven?.runtime.onEvent(({ hookName }) => hookName === 'SessionEnd' && resolve());
		driven?.runtime.start();
		void driven?.connection.sendPrompt({ id: promptId.parse('p'), text: 'go' });
		await ended;
	},
	observe: async (world) => unwrap(await launch(world, ['--version'])),
};

type World = Awaited<ReturnType<typeof openWorld>>;

/** A program that answers like the agent, and records that it was started. */
async function openWorld(name: Name, isConfigured: boolean) {
	const temp = await createTempDir();
	const [bin, log, home] = ['bin', 'log', 'home'].map((part) => join(temp.path, part)) as [string, string, string];
	await mkdir(bin);
	await mkdir(home, { mode: 0o700 });
	const program = join(bin, isConfigured ? `my-${name}` : name);
	await writeFile(program, `#!/bin/sh\necho "$0" >> '${log}'\n[ "$1" = --version ] || exit 3\necho '${VERSIONS[name]}'\n`);
	await chmod(program, 0o755);
	const agents = isConfigured ? { [name]: { command: [`my-${name}`] } } : {};
	await writeFile(join(home, 'config.yaml'), JSON.stringify({ agents }), { mode: 0o600 });
	const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: temp.path, ROOST_HOME: home };
	return {
		name,
		agent: KNOWN_AGENTS.find(({ id }) => id === name) ?? expect.fail(name),
		program,
		home,
		env,
		config: unwrap(loadConfig({ env })),
		forget: () => writeFile(log, ''),
		started(): string[] | undefined {
			try {
				return readFileSync(log, 'utf8').trim().split('\n').filter(Boolean);
			} catch {
				// Not started yet.
				return undefined;
			}
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}

const VERSIONS: Record<Name, string> = {
	claude: '9.0.0 (Claude Code)',
	codex: 'codex-cli 9.0.0',
	copilot: 'GitHub Copilot CLI 9.0.0.',
	pi: '9.0.0',
};

async function launch({ name, env, home }: World, args: readonly string[]) {
	const options: LaunchOptions = {
		args,
		env,
		cwd: home,
		enforce: false,
		reach: async () => ok({} as ApiClient['launches']),
		watch: () => ({ [Symbol.asyncDispose]: async () => {} }),
		say: () => {},
	};
	return await launchObserved(name, options);
}
