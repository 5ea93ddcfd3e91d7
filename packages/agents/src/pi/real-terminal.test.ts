// The real Pi in a terminal: Roost recognises each of its screens, and its guard fires.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGate } from '@roost/testkit/fakes/gate';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPiRig, PI_MODEL, type PiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { PI_ASKING_EXTENSION } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import type { ReadyState } from '../base/types.ts';
import { readGuardLog } from '../guards/guard-log.ts';
import { createPiAdapter } from './pi-adapter.ts';

const pi = createPiAdapter();
const DEADLINE_MS = 120_000;

describe.skipIf(cannotRun([program('tmux'), agentProgram('pi')]))('real Pi in a terminal', () => {
	it(
		'is detected through dialogs, turns and scrolling, and accepts input as soon as it is ready',
		async () => {
			const gate = createGate();
			await using rig = await openPiRig({
				script: ({ lastUserText, toolResults }) => {
					if (lastUserText.includes('slowly')) return message([say('one ', 'two')], { pace: { gate } });
					if (toolResults.length > 0) return message([say('done')]);
					return message([lastUserText.includes('ask') ? callTool('ask', {}) : piWords.shell('seq 1 60')]);
				},
			});
			await putFiles(rig.project, { '.pi/extensions/x.ts': 'export default () => {};' });
			await using tmux = await createTmuxRig();
			const argv = [rig.program, '--model', PI_MODEL, '--extension', PI_ASKING_EXTENSION] as const;
			const session = await tmux.start(argv, { env: rig.env, cwd: rig.project, cols: 80, rows: 24 });
			const until = (wanted: ReadyState, sign: RegExp) =>
				session.waitForScreen((screen) => pi.detectReady(screen).phase === wanted.phase && sign.test(screen), DEADLINE_MS);
			const enter = async (text: string) => {
				await session.type(text);
				await session.key('Enter');
			};
			const refuse = pi.detectReady(await until({ phase: 'dialog', action: '' }, /Trust project folder/));
			expect(refuse).toEqual({ phase: 'dialog', action: 'Escape' });
			await session.key('Escape');
			await until({ phase: 'ready' }, /not trusted/);
			await enter('slowly');
			await until({ phase: 'loading' }, /Working/);
			gate.open();
			await until({ phase: 'ready' }, /one two/);
			await enter('ask');
			// A dialog about the work is for people: no key is returned for it.
			await until({ phase: 'loading' }, /Which colour/);
			await session.key('Enter');
			await until({ phase: 'loading' }, /It is red/);
			await session.key('Escape');
			await until({ phase: 'loading' }, /A name/);
			await session.key('Escape');
			await session.waitForScreen(/Anything else/, DEADLINE_MS);
			await session.key('Escape');
			await until({ phase: 'ready' }, /done/);
			await enter('count');
			await until({ phase: 'ready' }, /Took/);
			expect(pi.detectReady(await session.screen())).toEqual({ phase: 'ready' });
			expect(await session.screen()).not.toContain('pi v');
		},
		DEADLINE_MS * 2,
	);
});

describe.skipIf(cannotRun([agentProgram('pi')]))('guarded Pi', () => {
	it(
		'runs only calls that the guard allows, none if it cannot run, and any in the user’s own session',
		async () => {
			const tries = {
				build: [piWords.shell('git push'), piWords.write('@../outside.txt', 'x'), piWords.write('inside.txt', 'x')],
				scout: [piWords.write('scouted.txt', 'x')],
				lost: [piWords.read('README.md')],
				own: [piWords.write('own.txt', 'x')],
			};
			await using rig = await openPiRig({
				script: ({ toolResults, firstUserText }) =>
					message(
						toolResults.length > 0
							? [say('done')]
							: Object.entries(tries).flatMap(([name, blocks]) => (firstUserText === name ? blocks : [])),
					),
			});
			const [builder, scout] = [await deploy(rig, 'builder'), await deploy(rig, 'scout')];
			const lost = { ...scout, env: { ...scout.env, ROOST_PI_GUARD: '["/nowhere/guard"]' } };
			const built = await run(rig, builder, 'build');
			const [, , unguarded] = await Promise.all([
				run(rig, scout, 'scout'),
				run(rig, lost, 'lost'),
				run(rig, { ...scout, env: {} }, 'lost'),
				// A session of the user, without a guard.
				run(rig, { argv: [], env: {} }, 'own'),
			]);
			expect(built).toMatchObject({ code: 0, stdout: 'done\n' });
			expect(unguarded).toMatchObject({ code: 1, stderr: expect.stringContaining('does not say how to run') });
			const refused = (name: string) =>
				rig.requests.filter(({ firstUserText }) => firstUserText === name)[1]?.toolResults.map(({ isError }) => isError);
			expect(['build', 'scout', 'lost', 'own'].map(refused)).toEqual([[true, true, false], [true], [true], [false]]);
			const names = ['../outside.txt', 'inside.txt', 'scouted.txt', 'own.txt'];
			expect(names.map((name) => existsSync(join(rig.project, name)))).toEqual([false, true, false, true]);
			const judged = await Promise.all(['builder', 'scout'].map((name) => readGuardLog(join(rig.home, name))));
			expect(judged.map((lines) => lines.length)).toEqual([3, 1]);
		},
		DEADLINE_MS * 3,
	);
});

async function deploy(rig: PiRig, capability: string) {
	const stateDir = join(rig.home, capability);
	await mkdir(stateDir, { mode: 0o700 });
	return await pi.deployConfig(
		rig.project,
		{ content: 'Be quick.' },
		{ agentName: 'ada', capability, worktreePath: rig.project, stateDir },
	);
}

async function run(rig: PiRig, deployed: { argv: readonly string[]; env: Readonly<Record<string, string>> }, prompt: string) {
	const argv = ['--print', '--no-approve', '--model', PI_MODEL, ...deployed.argv, prompt];
	await using started = await startProgram([rig.program, ...argv], { cwd: rig.project, env: { ...rig.env, ...deployed.env } });
	return await started.waitForExit(DEADLINE_MS);
}
