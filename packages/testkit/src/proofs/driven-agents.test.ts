// The same session with every agent that Roost drives: gated, counted, and resumed by the next runner.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import { spokenWords } from '../fakes/model-request.ts';
import type { Script } from '../fakes/script.ts';
import { type AgentProgram, agentProgram, agentProgramVersion, needProgram } from '../rigs/agents/agent-programs.ts';
import type { AgentRig, AgentWords } from '../rigs/agents/agent-rig.ts';
import { codexWords, openCodexRig } from '../rigs/agents/codex-rig.ts';
import { copilotWords, openCopilotRig } from '../rigs/agents/copilot-rig.ts';
import { openPiRig, piWords } from '../rigs/agents/pi-rig.ts';
import { longDiff } from '../rigs/long-diff.ts';
import { startProgram } from '../rigs/program.ts';
import { cannotRun } from '../rigs/requirements.ts';
import { driveCli } from '../rigs/runner/drive-cli.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { startRunner } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';

type Tried = {
	readonly agent: AgentProgram;
	readonly words: AgentWords;
	open(options: { script: Script; env?: Readonly<Record<string, string>> }): Promise<AgentRig>;
};

const TRIED: readonly Tried[] = [
	{ agent: 'codex', words: codexWords, open: openCodexRig },
	{ agent: 'pi', words: piWords, open: openPiRig },
	{ agent: 'copilot', words: copilotWords, open: openCopilotRig },
];

/** Runs a command for the prompt "make it"; otherwise only answers. */
const scriptWith =
	(words: AgentWords): Script =>
	({ lastUserText }) =>
		message(lastUserText === 'make it' ? [words.shell('touch made')] : [say('Done.')]);

for (const { agent, words, open } of TRIED) {
	describe.skipIf(cannotRun([agentProgram(agent)]))(`session of ${agent}`, { timeout: 120_000 }, () => {
		it('starts by name, asks before it acts, and resumes in the next runner', async () => {
			await using rig = await open({ script: scriptWith(words) });
			await using temp = await createTempDir();
			const config = configure(agent, rig.env);
			const home = join(temp.path, 'roost');
			const first = await startRunner({ agent, config, rig, home });
			const rows = unwrap(await first.api.agents.list());
			expect(rows.find(({ id }) => id === agent)).toMatchObject({
				takesPrompts: true,
				program: { version: agentProgramVersion(agent), problem: null },
			});
			const session = await first.start({ prompt: 'make it' });
			expect(await session.asked()).toMatchObject({ tool: 'Bash', input: { command: 'touch made' } });
			expect(existsSync(join(rig.project, 'made'))).toBe(false);
			await session.decide('allow');
			expect((await session.until('run.end')).data.status).toBe('completed');
			expect(existsSync(join(rig.project, 'made'))).toBe(true);
			expect(await session.row()).toMatchObject({ agent, driven: true, title: 'make it', status: 'idle' });
			expect((await session.of('usage.update')).at(-1)?.data.total.output_tokens).toBeGreaterThan(0);
			const inTerminal = unwrapError(await first.api.settings.switchMode({ commandId: 'c1', id: session.id, mode: 'pty' }));
			expect(inTerminal.message).toContain(`${agent} cannot run in a terminal`);
			await first[Symbol.asyncDispose]();

			await using second = await startRunner({ agent, config, rig, home });
			const again = second.find(session.id);
			expect((await again.say('and then')).data.status).toBe('completed');
			expect(rig.requests.slice(-1).flatMap(spokenWords)).toEqual(expect.arrayContaining(['make it', 'and then']));
			await again.end();
			expect((await again.row()).status).toBe('ended');
		});
	});
}

function configure(agent: AgentProgram, env: AgentRig['env']) {
	return { agents: { [agent]: { command: [needProgram(agent)], env } } };
}

/** Copilot itself rejects prompts that exceed the context window of its model. */
const LARGE_WINDOW = { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '2000000' };

const WITHOUT_KEY = [
	{ agent: 'codex', open: openCodexRig, missing: /^FAKE_MODEL_KEY$/, line: 'agents: {codex: {env: {FAKE_MODEL_KEY: <value>}}}' },
	{
		agent: 'copilot',
		open: openCopilotRig,
		missing: /^COPILOT_(PROVIDER|MODEL)/,
		line: 'agents: {copilot: {env: {COPILOT_PROVIDER_BASE_URL: <value>}}}',
	},
] as const;

describe.each(WITHOUT_KEY)(
	'run of $agent without the key of its provider',
	{ timeout: 120_000 },
	({ agent, open, missing, line }) => {
		it.skipIf(cannotRun([agentProgram(agent)]))('names the line of config.yaml that sets the key', async () => {
			await using rig = await open({ script: () => message([say('Done.')]) });
			const env = Object.fromEntries(Object.entries(rig.env).filter(([name]) => !missing.test(name)));
			await using roost = await startRunner({ agent, config: configure(agent, env), rig: { ...rig, env } });
			const [ran] = await driveCli([['run', '--agent', agent, 'hello']], { cwd: roost.folder, env: roost.env });
			expect(ran).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining(`add "${line}" to config.yaml`) });
		});
	},
);

describe.skipIf(cannotRun([agentProgram('pi')]))('unknown model for Pi', { timeout: 120_000 }, () => {
	it('is rejected with the list of available models', async () => {
		await using rig = await openPiRig({ script: scriptWith(piWords) });
		await using roost = await startRunner({ agent: 'pi', config: configure('pi', rig.env), rig });
		const session = await roost.start({ prompt: 'hello' });
		await session.until('run.end');
		const models = unwrap(await roost.api.settings.models({ id: session.id }));
		expect(models.length).toBeGreaterThan(0);
		const refused = unwrapError(await roost.api.settings.change({ commandId: 'c1', id: session.id, model: 'nobody/nothing' }));
		expect(refused.message).toContain(`pi has no model "nobody/nothing". Choose one of ${models[0]}`);
		unwrap(await roost.api.settings.change({ commandId: 'c2', id: session.id, model: models[0] ?? '' }));
	});
});

for (const { agent, open } of TRIED) {
	describe.skipIf(cannotRun([agentProgram(agent)]))(`prompt of 1 MiB for ${agent}`, { timeout: 120_000 }, () => {
		it('reaches the model unchanged when piped into a run', async () => {
			await using rig = await open({ script: () => message([say('Reviewed.')]), env: LARGE_WINDOW });
			await using roost = await startRunner({ agent, config: configure(agent, rig.env), rig });
			const prompt = longDiff();
			const argv = roostArgv('run', '--agent', agent);
			await using program = await startProgram(argv, { cwd: roost.folder, env: roost.env, input: prompt });
			expect(await program.waitForExit(100_000)).toMatchObject({ code: 0, stdout: 'Reviewed.\n' });
			expect(rig.requests.flatMap(spokenWords).some((words) => words.includes(prompt))).toBe(true);
		});
	});
}

describe.skipIf(cannotRun([agentProgram('codex')]))('agent other than the default', { timeout: 120_000 }, () => {
	it('runs from the command line, and rejects an unknown model and an unsupported turn limit', async () => {
		await using rig = await openCodexRig({ script: scriptWith(codexWords) });
		await using roost = await startRunner({ agent: 'codex', config: configure('codex', rig.env), rig });
		const runs = [
			['run', '--agent', 'codex', 'hello'],
			['run', '--agent', 'codex', '--model', 'opus', 'hello'],
			['run', '--agent', 'codex', '--max-turns', '3', 'hello'],
			['sessions', '--json'],
		];
		const [ran, refused, unlimited, listed] = await driveCli(runs, { cwd: roost.folder, env: roost.env });
		expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
		expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no "opus" for codex') });
		expect(unlimited).toMatchObject({ code: 3, stderr: expect.stringContaining('codex does not support a turn limit') });
		expect(JSON.parse(listed?.stdout ?? '')).toMatchObject([{ agent: 'codex', driven: true, title: 'hello' }]);
	});
});
