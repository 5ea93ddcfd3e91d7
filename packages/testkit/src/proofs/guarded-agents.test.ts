// Guarded agents with the real programs: proven, started, kept from harm, and ended without leftovers.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readGuardLog } from '@roost/agents/guards/guard-log';
import { createAgentPrograms } from '@roost/home/programs/agent-programs';
import { ok } from '@roost/protocol/result';
import { openGuardProofs } from '@roost/runner/agents/prove-here';
import { createStartGuarded } from '@roost/runner/agents/start-guarded';
import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { claudeWords } from '../rigs/agents/claude-rig.ts';
import { codexWords } from '../rigs/agents/codex-rig.ts';
import { copilotWords } from '../rigs/agents/copilot-rig.ts';
import { TUI_AGENTS, type TuiAgentKind } from '../rigs/agents/every-agent.ts';
import { piWords } from '../rigs/agents/pi-rig.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { createOwnTmux } from '../rigs/terminal/tmux-rig.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const TIMES = { timeout: 120_000 };
const WORDS = new Map(Object.entries({ claude: claudeWords, codex: codexWords, copilot: copilotWords, pi: piWords }));

describe.each(TUI_AGENTS)('guarded $name', (kind) => {
	const lacks = cannotRun([kind.needs, program('git'), program('tmux')]);

	it.skipIf(lacks)('runs the proven program, its guard blocks a call, and it is killed without leftovers', TIMES, async () => {
		await using world = await openWorld(kind);
		const agent = unwrap(await world.start({ guarded: true, beacon: 'Tidy up.' }));
		expect(agent.guard.state).toBe('guarded');
		const result = await waitFor(() => world.rig.requests.flatMap(({ toolResults }) => toolResults)[0], {
			what: 'the result of the call',
			seen: world.screen,
		});
		expect(result.text).toContain("Roost's guard refused");
		expect(existsSync(join(world.rig.worktree, 'README.md'))).toBe(true);
		expect(await readGuardLog(agent.stateDir)).toMatchObject([{ tool: 'Bash', allowed: false }]);
		expect(existsSync(world.decoyed)).toBe(false);
		expect(unwrapError(await world.start({ guarded: true })).code).toBe('conflict');
		expect(existsSync(join(agent.stateDir, 'guard.json'))).toBe(true);
		unwrap(await agent.kill());
		expect(unwrap(await world.tmux.list())).toEqual([]);
		expect(await readdir(agent.stateDir)).toEqual(['guard.log']);
		expect(await readdir(join(world.dataDir, 'guard-proofs'))).toEqual([]);
	});
});

const [claudeKind] = TUI_AGENTS;

describe.skipIf(!claudeKind || cannotRun([claudeKind.needs, program('git'), program('tmux')]))(
	'program that ignores its deployed guard',
	() => {
		it('is not started with guards, and is marked as failed without them', TIMES, async () => {
			await using world = await openWorld(claudeKind ?? expect.fail('no claude'), WITHOUT_SETTINGS);
			const refused = unwrapError(await world.start({ guarded: true }));
			expect(refused).toMatchObject({
				code: 'cannot_start',
				message:
					'Claude Code was not started: permission hook test failed: the guard was never asked. Fix this and retry, or start it without guards.',
			});
			expect(unwrap(await world.tmux.list())).toEqual([]);
			expect(existsSync(join(world.dataDir, 'guards'))).toBe(false);
			const agent = unwrap(await world.start({ guarded: false }));
			expect(agent.mark).toBe('permission hook test failed: the guard was never asked');
			expect(await readFile(world.started, 'utf8')).toMatch(/--permission-mode=manual/);
			unwrap(await agent.kill());
			expect(await readdir(agent.stateDir)).toEqual([]);
		});
	},
);

/** Records its arguments, and calls the real program without Roost's settings. */
const WITHOUT_SETTINGS = (real: string, started: string) => `#!/bin/sh
printf '%s\\n' "$*" >> '${started}'
for arg do
	shift
	if [ "$skip" = yes ]; then skip=no
	elif [ "$arg" = --settings ]; then skip=yes
	else set -- "$@" "$arg"
	fi
done
exec '${real}' "$@"
`;

async function openWorld(kind: TuiAgentKind, wrapper?: (real: string, started: string) => string) {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await kind.open(tidyUp(kind.name)));
	const own = stack.use(await createOwnTmux());
	const { path } = stack.use(await createTempDir());
	const [bin = ''] = (rig.env.PATH ?? '').split(':');
	const [decoyed, started, dataDir] = [join(path, 'decoyed'), join(path, 'started'), join(path, 'roost')];
	await mkdir(dataDir, { mode: 0o700 });
	const real = join(bin, kind.name);
	// Another program of that name is first on the PATH: only the configured one may be started.
	await writeProgram(join(path, kind.name), `#!/bin/sh\ntouch '${decoyed}'\n`);
	const wrapped = join(path, 'wrapped');
	if (wrapper) await writeProgram(wrapped, wrapper(real, started));
	const env = { ...rig.env, PATH: `${path}:${rig.env.PATH}`, IS_SANDBOX: '1' };
	// The settings of Codex name the variable with its model key: only the user can know it.
	const { FAKE_MODEL_KEY: key } = rig.env;
	const keys: Record<string, string> = key === undefined ? {} : { FAKE_MODEL_KEY: key };
	const configured = { command: [wrapper ? wrapped : real], env: keys };
	const config = { agents: { [kind.name]: configured }, runtime: {} };
	const programs = stack.use(createAgentPrograms({ env, agents: config.agents }));
	const common = { env, config, dataDir, adapterOf: () => ok(rig.adapter) };
	const proofs = stack.use(openGuardProofs({ ...common, programs, warn: (sentence) => expect.fail(sentence) }));
	const start = createStartGuarded({ ...common, tmux: own.tmux, proofs });
	const owned = stack.move();
	return {
		rig,
		dataDir,
		decoyed,
		started,
		tmux: own.tmux,
		screen: async () => unwrap(await own.tmux.capture('bee', 'screen')),
		start: (over: { guarded: boolean; beacon?: string }) =>
			start({ name: 'bee', agent: kind.name, model: rig.model, worktree: rig.worktree, capability: 'scout', ...over }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function writeProgram(path: string, text: string): Promise<void> {
	await writeFile(path, text);
	await chmod(path, 0o755);
}

/** The model tries to remove a file at its first request, and accepts any result. */
function tidyUp(agent: string): Script {
	const { shell } = WORDS.get(agent) ?? expect.fail(`no words for ${agent}`);
	const call = shell('rm README.md');
	return ({ lastUserText, tools }) => {
		const canAct = call.type === 'tool_use' && tools.includes(call.name);
		return message([canAct && lastUserText.includes('Tidy up.') ? call : say('Done.')]);
	};
}
