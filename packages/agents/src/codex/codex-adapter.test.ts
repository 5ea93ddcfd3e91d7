// The adapter of Codex with the real program: in a terminal, and for one prompt without one.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hang, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { SpawnOpts } from '../base/types.ts';
import { createCodexAdapter } from './codex-adapter.ts';

const adapter = createCodexAdapter();
const hello: Script = ({ lastUserText }) => (lastUserText.includes('slowly') ? hang() : message([say('Hello', ', you.')]));

describe('Codex adapter', () => {
	it('builds a spawn command that does not trust the project and quotes the instructions', () => {
		const opts: SpawnOpts = { model: 'gpt-5.5', permissionMode: 'bypass', cwd: "/work trees/it's", env: {} };
		const deployed = { argv: ['-c', 'sandbox_mode="read-only"', '-c', 'developer_instructions="Deployed."'], env: {}, files: [] };
		expect(adapter.buildSpawnCommand(opts)).toBe(
			`codex --no-daemon --model=gpt-5.5 --ask-for-approval=never --sandbox=workspace-write -c 'check_for_update_on_startup=false' -c 'tui.status_line=["run-state", "model-with-reasoning", "current-dir"]' -c 'projects={"/work trees/it'\\''s"={trust_level="untrusted"}}'`,
		);
		const command = adapter.buildSpawnCommand({
			...opts,
			permissionMode: 'ask',
			appendSystemPrompt: '"$(touch x)"\n`y`',
			deployed: { ...deployed, remove: async () => {} },
		});
		expect(command).toContain('--ask-for-approval=on-request');
		expect(command).not.toContain('--sandbox');
		expect(command.endsWith(`'developer_instructions="Deployed.\\n\\n\\"$(touch x)\\"\\n\`y\`"'`)).toBe(true);
	});

	it('puts the agent name and worktree path into the environment', () => {
		const env = adapter.buildEnv({ model: 'm', env: { OPENAI_API_KEY: 'k' } }, { agentName: 'bee', worktreePath: '/w' });
		expect(env).toEqual({ OPENAI_API_KEY: 'k', ROOST_AGENT_NAME: 'bee', ROOST_WORKTREE_PATH: '/w' });
	});

	it('prints one response without trusting the project', async () => {
		await using rig = await openCodexRig({ script: hello });
		const own = join(rig.configDir, 'config.toml');
		const [, ...args] = adapter.buildPrintCommand('-- $(touch made)', 'gpt-5.5');
		await using program = await startProgram([rig.program, ...args], { cwd: rig.project, env: rig.env });
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stdout: 'Hello, you.\n' });
		expect(rig.requests[0]?.lastUserText).toBe('-- $(touch made)');
		expect(await readFile(own, 'utf8')).not.toContain('trust_level');
	}, 120_000);

	it('detects the dialog, ready and loading screens of the real program', async () => {
		await using rig = await openCodexRig({ script: hello });
		await writeFile(join(rig.project, 'AGENTS.md'), 'x');
		await using tmux = await createTmuxRig();
		const opts: SpawnOpts = { model: 'gpt-5.5', permissionMode: 'bypass', cwd: rig.project, env: {} };
		const command = adapter.buildSpawnCommand(opts).replace(/^codex/, rig.program);
		const terminal = await tmux.start(['/bin/sh', '-c', command], { cwd: rig.project, env: rig.env });
		const phases: string[] = [];
		const until = async (phase: string) =>
			await waitFor(
				async () => {
					const state = adapter.detectReady(await terminal.screen());
					if (state.phase !== phases.at(-1)) phases.push(state.phase);
					if (state.phase === 'dialog' && phase !== 'dialog') await terminal.key(state.action);
					return state.phase === phase ? true : undefined;
				},
				{ what: phase, everyMs: 200, seen: () => terminal.screen() },
			);
		await until('dialog');
		await until('ready');
		await terminal.type('Say it slowly');
		await terminal.waitForScreen(/slowly/, 60_000);
		await terminal.key('Enter');
		await until('loading');
		await terminal.key('Escape');
		await until('ready');
		expect(await readFile(join(rig.configDir, 'config.toml'), 'utf8')).not.toContain('trust_level');
	}, 150_000);
});
