// The real copilot under `--enforce`, with settings that allow everything: nothing runs without a decision of Roost, or it does not start.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { annotatedMcpServer } from '@roost/testkit/fakes/annotated-mcp-server';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { type CopilotRig, copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { ALLOW, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { FORWARDER, openObservedLaunch } from '@roost/testkit/rigs/agents/observed-launch';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { COPILOT_LAUNCH } from './launch.ts';
import { COPILOT_HOOK_PROTOCOL } from './observed-hooks.ts';

const DEADLINE_MS = 120_000;
const SOAK = process.env.ROOST_SOAK === '1';

const touch = (name: string) => copilotWords.shell(`touch ran-${name}`);
const marks = (project: string) => readdirSync(project).filter((name) => name.startsWith('ran-'));
const hook = (bash: string) => [{ type: 'command', bash, timeoutSec: 20 }];
const RUN_HOOK = { version: 1, hooks: { sessionStart: hook('touch ran-hook') } };
const REWRITE = { permissionDecision: 'allow', modifiedArgs: { command: 'touch ran-rewritten', description: 'x' } };
const rewriting = {
	preToolUse: hook(`sleep 1; echo '${JSON.stringify(REWRITE)}'`),
	permissionRequest: hook(`echo '{"behavior":"allow"}'`),
};
const server = (name: string) => ({ type: 'local', command: process.execPath, args: [`${name}.cjs`], tools: ['*'] });
const agent = (name: string) =>
	`---\nname: ${name}\ndescription: does it\ntools: ["*"]\nmcp-servers:\n  theirs:\n    type: local\n    command: node\n    args: ["agent.cjs"]\n    tools: ["*"]\n---\nDo it\n`;

const inTurn =
	(...blocks: readonly Block[]): Script =>
	({ messages }) =>
		message([blocks[messages.filter(({ role }) => role === 'assistant').length] ?? say('done')]);
const CALLS = [
	touch('shell'),
	copilotWords.write('ran-file', 'x'),
	copilotWords.shell('echo approved'),
	callTool('own-peek', {}),
	callTool('theirs-peek', {}),
	callTool('web_fetch', { url: 'http://127.0.0.1:9/' }),
	callTool('write_bash', { shellId: 'a', input: 'touch ran-typed{enter}', delay: 1 }),
	callTool('unheard_of', { command: 'touch ran-unheard' }),
	...(SOAK ? [callTool('task', { description: 'x', prompt: 'go', agent_type: 'general-purpose', name: 'sub' })] : []),
];

/** Allows only the approved command. */
const decide: TestGate = ({ hookName, payload }) => {
	if (hookName === 'PreToolUse') return NO_OPINION;
	if (JSON.stringify(payload).includes('echo approved')) return ALLOW;
	return { verdict: { type: 'deny', message: 'no' }, source: 'user' };
};

/** A user who trusts the folder and allowed everything, with hooks and a plugin that change calls. */
async function furnish({ project, configDir }: CopilotRig): Promise<void> {
	await putFiles(project, {
		'.mcp.json': { mcpServers: { theirs: server('theirs') } },
		'theirs.cjs': annotatedMcpServer('ran-theirs'),
		'own.cjs': annotatedMcpServer('own'),
		'.github/agents/plain.agent.md': '---\nname: plain\ndescription: plain\n---\nDo it\n',
	});
	await putFiles(configDir, {
		'config.json': { trustedFolders: [project], disableAllHooks: true },
		'settings.json': { hooks: rewriting, disableAllHooks: true },
		'mcp-config.json': { mcpServers: { own: server('own') } },
		'plugin/plugin.json': { name: 'other', version: '1.0.0', description: 'x', hooks: 'hooks.json' },
		'plugin/hooks.json': { version: 1, hooks: rewriting },
	});
}

const WAYS: readonly { args: readonly string[]; env?: Readonly<Record<string, string>> }[] = [
	{ args: ['--yolo', '--experimental'] },
	{ args: ['--allow-all-tools', '--allow-all-paths', '--allow-tool=shell', '--allow-tool=write', '--allow-all-urls'] },
	{ args: ['--allow-all', '--autopilot', '--max-autopilot-continues=1'] },
	{ args: ['--allow-all', '--trust-folder'] },
	{ args: [], env: { COPILOT_ALLOW_ALL: 'true' } },
];

describe.skipIf(cannotRun([agentProgram('copilot')]))('copilot in enforce mode', () => {
	it.each(SOAK ? WAYS : WAYS.slice(0, 1))(
		'runs nothing without a decision, whatever the user allows: $args $env',
		async ({ args, env }) => {
			await using home = await openCopilotRig({ script: inTurn(...CALLS) });
			await furnish(home);
			await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, 'enforce', decide);
			const { project: cwd, program } = home;
			const given = { cwd, command: [program], env: { ...home.env, ...env }, dir: launch.dir, forwarder: FORWARDER } as const;
			const plugin = `--plugin-dir=${join(home.configDir, 'plugin')}`;
			const prepared = unwrap(
				await COPILOT_LAUNCH.prepare({ ...given, args: ['-p', 'go', '--silent', plugin, ...args], gate: 'enforce' }),
			);
			await using running = await startProgram([program, ...prepared.argv], { cwd, env: { ...given.env, ...launch.env } });
			expect(await running.waitForExit(DEADLINE_MS)).toMatchObject({ code: 0 });
			expect([marks(cwd), readdirSync(cwd).filter((name) => name.startsWith('own-'))]).toEqual([[], ['own-started']]);
			// Other hooks ran first, so Roost saw every command in its final form.
			const commands = launch.reported('PermissionRequest').map((payload) => JSON.stringify(payload));
			for (const word of ['ran-rewritten', 'own-peek', 'WebFetch', 'BashInput', 'unheard_of'])
				expect(commands.some((each) => each.includes(word))).toBe(true);
		},
	);

	it('does not start if a repository brings programs or a call could change after approval', async () => {
		await using home = await openCopilotRig({ script: inTurn() });
		for (const [why, files, args = []] of REFUSED) {
			await using folder = await createTempDir();
			await putFiles(folder.path, { '.git/HEAD': '', ...files });
			const env = { ...home.env, COPILOT_HOME: join(folder.path, 'copilot-home') };
			const given = {
				cwd: folder.path,
				command: [home.program],
				env,
				dir: join(folder.path, 'dir'),
				forwarder: FORWARDER,
			} as const;
			const refused = await COPILOT_LAUNCH.prepare({ ...given, args: [...args], gate: 'enforce' });
			expect(refused, why).toMatchObject({ ok: false, error: { code: 'usage', message: expect.stringContaining(why) } });
			expect(await COPILOT_LAUNCH.prepare({ ...given, args: [...args], gate: 'observe' })).toMatchObject({ ok: true });
		}
	});

	it('is not driven if repository agents or trusted repository hooks would start programs', async () => {
		const task = callTool('task', { description: 'x', prompt: 'sub', agent_type: 'evil', name: 'x' });
		await using rig = await openCopilotRig({ script: inTurn(task, touch('shell')) });
		const files = { '.mcp.json': { mcpServers: { theirs: server('theirs') } }, 'theirs.cjs': annotatedMcpServer('ran-theirs') };
		await putFiles(rig.project, {
			...files,
			'agent.cjs': annotatedMcpServer('ran-agent'),
			'.claude/agents/evil.md': agent('evil'),
		});
		expect(await rig.start().until('StopFailure')).toMatchObject({
			payload: { last_assistant_message: expect.stringContaining('.claude/agents/evil.md') },
		});
		await putFiles(rig.project, {
			'.claude/agents/evil.md': '---\nname: evil\ndescription: x\n---\nDo it\n',
			'.claude/settings.json': { hooks: {} },
		});
		await putFiles(rig.configDir, {
			'config.json': `// written by copilot\n${JSON.stringify({ trustedFolders: [rig.project] })}`,
		});
		expect(await rig.start().until('StopFailure')).toMatchObject({
			payload: { last_assistant_message: expect.stringContaining('.claude/settings.json') },
		});
		await putFiles(rig.project, { '.claude/settings.json': {} });
		const deny = { type: 'deny', message: 'no' } as const;
		const { ask } = rig.start({}, ({ hookName }) => (hookName === 'PreToolUse' ? NO_OPINION : { verdict: deny, source: 'user' }));
		await ask('go');
		expect(marks(rig.project)).toEqual([]);
	});
});

const REFUSED: readonly (readonly [why: string, files: Readonly<Record<string, unknown>>, args?: readonly string[]])[] = [
	['.github/hooks/x.json', { '.github/hooks/x.json': RUN_HOOK }],
	['.github/hooks/x.json', { 'sub/.github/hooks/x.json': RUN_HOOK }, ['-C', 'sub', '-p', 'go']],
	['switches every hook', { 'sub/.github/copilot/settings.json': { disableAllHooks: true } }, ['-C', 'sub', '-p', 'go']],
	['.github/extensions/x', { '.github/extensions/x/extension.mjs': '' }],
	['settings.json', { '.github/copilot/settings.json': RUN_HOOK }],
	['settings.json', { '.github/copilot/settings.json': { enabledPlugins: { 'x@y': true } } }, ['-p', 'go', '--trust-folder']],
	['settings.local.json', { '.github/copilot/settings.local.json': { statusLine: {} } }],
	['.claude/settings.json', { '.claude/settings.json': { hooks: {} } }],
	['.claude/settings.local.json', { '.claude/settings.local.json': '{ "hooks": ' }],
	['.github/agents/x.agent.md', { '.github/agents/x.agent.md': agent('x') }, ['-p', 'go']],
	['.claude/agents/x.md', { '.claude/agents/x.md': agent('x') }, ['-p', 'go']],
	['.github/lsp.json', { '.github/lsp.json': {} }],
	['could change a call', { 'copilot-home/extensions/x/extension.mjs': '' }, ['-p', 'go']],
	['--add-dir', { 'added/.github/agents/x.md': agent('x') }, ['-p', 'go', '--add-dir=added']],
	['--worktree', {}, ['--worktree', '-p', 'go']],
	['does not exist', {}, ['-C', 'nowhere']],
	['no hook of this launch', {}, ['workflow', 'run', 'x']],
	['no hook of this launch', {}, ['init']],
	['no hook of this launch', {}, ['--server', '--stdio']],
];
