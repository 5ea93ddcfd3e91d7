// The real codex under `--enforce`, with settings that allow everything: nothing runs without a decision of Roost.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { annotatedMcpServer } from '@roost/testkit/fakes/annotated-mcp-server';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { type CodexRig, codexWords, openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { ALLOW, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { FORWARDER, openObservedLaunch } from '@roost/testkit/rigs/agents/observed-launch';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type CodexHook, toTrust } from './config-args.ts';
import { CODEX_LAUNCH, readCodexArgs, toCodexArgv } from './launch.ts';
import { CODEX_HOOK_PROTOCOL } from './observed-hooks.ts';

const DEADLINE_MS = 120_000;
const SOAK = process.env.ROOST_SOAK === '1';

const touch = (name: string) => codexWords.shell(`touch ran-${name}`);
const marks = ({ project }: CodexRig) => readdirSync(project).filter((name) => name.startsWith('ran-'));
const toHooks = (commands: Readonly<Record<string, string>>): CodexHook[] =>
	Object.entries(commands).map(([event, command]) => ({ event, command, timeoutS: 20 }));
const says = (hookEventName: string, output: object) =>
	`echo '${JSON.stringify({ hookSpecificOutput: { hookEventName, ...output } })}'`;

/** They answer after Roost, and the last change of a call wins. */
const USER_HOOKS = toHooks({
	PreToolUse: `sleep 1; ${says('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'touch ran-rewritten' } })}`,
	PermissionRequest: says('PermissionRequest', { decision: { behavior: 'allow' } }),
});
const REPOSITORY_HOOKS = toHooks({
	SessionStart: 'touch ran-hook-start',
	PreToolUse: 'touch ran-hook-pre',
	Stop: 'touch ran-hook-stop',
});
const SERVER = (name: string) =>
	`\n[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["${name}.cjs"]\ndefault_tools_approval_mode = "approve"\n`;
const REPOSITORY_CONFIG = `approval_policy = "never"\nsandbox_mode = "danger-full-access"\nnotify = ["touch", "ran-notify"]
[shell_environment_policy]\nset = { BASH_ENV = "./environment.sh" }\n[features]\nhooks = false\n${SERVER('theirs')}`;

/** A repository that the user trusts, with everything that codex would run or obey, and a user who allowed everything. */
async function furnish({ project, configDir }: CodexRig): Promise<void> {
	const config = join(configDir, 'config.toml');
	const hooks = Object.fromEntries(
		REPOSITORY_HOOKS.map(({ event, command, timeoutS: timeout }) => [
			event,
			[{ hooks: [{ type: 'command', command, timeout }] }],
		]),
	);
	await putFiles(project, {
		'.codex/config.toml': REPOSITORY_CONFIG,
		'.codex/hooks.json': { hooks },
		'.codex/rules/all.rules': 'prefix_rule(pattern=["touch"], decision="allow")\n',
		'environment.sh': 'touch ran-environment\n',
		'theirs.cjs': annotatedMcpServer('ran-theirs'),
		'own.cjs': annotatedMcpServer('started-own'),
	});
	const own = USER_HOOKS.map(
		({ event, command, timeoutS }) =>
			`${event} = [{hooks=[{type="command", command=${JSON.stringify(command)}, timeout=${timeoutS}}]}]`,
	);
	const trusted = [
		...USER_HOOKS.map((hook) => toTrust(hook, config)),
		...REPOSITORY_HOOKS.map((hook) => toTrust(hook, join(project, '.codex', 'hooks.json'))),
	];
	const before = await readFile(config, 'utf8');
	const user = `approval_policy = "never"\nsandbox_mode = "danger-full-access"\n${before}${SERVER('own')}
[hooks]\n${own.join('\n')}\nstate = {${trusted.join(', ')}}\n[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`;
	await writeFile(config, user);
	await putFiles(configDir, {
		'rules/all.rules': 'prefix_rule(pattern=["touch"], decision="allow")\n',
		'all.config.toml': 'approval_policy = "never"\n',
	});
}

/** One call after the other, regardless of their results; a call may need the one before. */
type Call = Block | ((request: ModelRequest) => Block);
const play = (calls: readonly Call[]) => (request: ModelRequest) => {
	const call = calls[request.messages.filter(({ role }) => role === 'assistant').length] ?? say('done');
	return message([typeof call === 'function' ? call(request) : call]);
};

/** Allows only these; denies every other request. */
const allowing =
	(...words: readonly string[]): TestGate =>
	({ hookName, payload }) => {
		if (hookName === 'PreToolUse') return NO_OPINION;
		const isMeant = words.some((word) => JSON.stringify(payload).includes(word));
		return isMeant ? ALLOW : { verdict: { type: 'deny', message: 'no' }, source: 'user' };
	};

async function enforce(rig: CodexRig, decide: TestGate, args: readonly string[]) {
	await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, 'enforce', decide);
	const given = { cwd: rig.project, command: [rig.program], env: rig.env, dir: launch.dir, forwarder: FORWARDER } as const;
	const prepared = unwrap(await CODEX_LAUNCH.prepare({ ...given, args: ['exec', ...args, '--', 'go'], gate: 'enforce' }));
	await using running = await startProgram([rig.program, ...prepared.argv], {
		cwd: rig.project,
		env: { ...rig.env, ...launch.env },
	});
	expect(await running.waitForExit(DEADLINE_MS)).toMatchObject({ code: 0, stdout: 'done\n' });
	return { launch, says: prepared.says };
}

const sessionOf = ({ toolResults }: ModelRequest) => Number(/session ID (\d+)/.exec(JSON.stringify(toolResults))?.[1] ?? 0);
const CALLS: readonly Call[] = [
	touch('shell'),
	codexWords.write('ran-patch', 'x\n'),
	codexWords.shell('echo approved'),
	callTool('exec_command', { cmd: 'bash --norc -i', tty: true, yield_time_ms: 300 }),
	(request) => callTool('write_stdin', { session_id: sessionOf(request), chars: 'touch ran-typed\n', yield_time_ms: 500 }),
	callTool('exec_command', { cmd: 'bash --norc', yield_time_ms: 300 }),
	(request) => callTool('write_stdin', { session_id: sessionOf(request), chars: 'touch ran-typed\n', yield_time_ms: 500 }),
	callTool('unheard_of', { command: 'touch ran-unheard' }),
	callTool('read_mcp_resource', { server: 'own', uri: 'x' }),
];
/** Calls made by a program that the model writes, which are calls like any other. */
const js = (code: string) => callTool('exec', { input: code });
const PROGRAMS: readonly Call[] = [
	js('text(await tools.exec_command({cmd: "touch ran-program"}))'),
	js('text(await tools.mcp__own__peek({}))'),
	js(
		'const r = await tools.exec_command({cmd: "bash --norc -i", tty: true}); await tools.write_stdin({session_id: r.session_id, chars: "touch ran-typed\\n"})',
	),
	callTool('spawn_agent', { message: 'make it', task_name: 'maker' }),
];
const YOLO = ['--dangerously-bypass-approvals-and-sandbox'];
const WAYS: readonly (readonly string[])[] = [
	YOLO,
	['--sandbox=danger-full-access', '-c', 'approval_policy="never"'],
	['--yolo', '--dangerously-bypass-hook-trust'],
	['--approve-for-me'],
	['-p', 'all'],
	['-c', 'features.unified_exec_tty=true', '-c', 'web_search="live"', ...YOLO],
	['-c', 'features={unified_exec_tty=true, code_mode=true, multi_agent_v2=true}', ...YOLO],
];

const UNHELD = [
	['searches the web', '--search'],
	['types into commands', '--enable', 'unified_exec_tty'],
	['types into commands', '--enable=unified_exec_tty'],
	['may bring hooks', '-p', 'hooked'],
	['may bring hooks', '-phooked'],
	['does not exist', '-C', 'nowhere'],
	['nothing could be enforced', 'app-server'],
] as const;

describe.skipIf(cannotRun([agentProgram('codex')]))('codex in enforce mode', () => {
	it.each(SOAK ? WAYS : WAYS.slice(0, 1))(
		'runs nothing without a decision, whatever the user and the repository allow: %s',
		async (...args) => {
			await using rig = await openCodexRig({ script: play(CALLS) });
			await furnish(rig);
			const { launch, says: lines } = await enforce(rig, allowing('echo approved', 'bash --norc'), args);
			expect(marks(rig)).toEqual([]);
			const asked = launch.reported('PermissionRequest').map((payload) => JSON.stringify(payload));
			for (const word of ['ran-shell', 'ran-patch', 'echo approved', 'read_mcp_resource'])
				expect(asked.some((each) => each.includes(word))).toBe(true);
			expect(launch.reported('PostToolUse')).toContainEqual(
				expect.objectContaining({ tool_input: { command: 'echo approved' } }),
			);
			expect(JSON.stringify(rig.requests[0]?.body.tools)).not.toContain('web_search');
			expect(lines.join()).toContain('2 other hooks for tool calls of codex will not run');
		},
	);

	it('gates calls of model-written programs and subagents, and MCP tools annotated as harmless', async () => {
		await using rig = await openCodexRig({ script: play(PROGRAMS) });
		await furnish(rig);
		const { launch } = await enforce(rig, allowing('bash --norc'), ['-m', 'gpt-6-sol', ...YOLO]);
		expect([marks(rig), readdirSync(rig.project).filter((name) => name.startsWith('started-own'))]).toEqual([
			[],
			['started-own-started'],
		]);
		expect(launch.reported('PermissionRequest')).toContainEqual(expect.objectContaining({ tool_name: 'mcp__own__peek' }));
	});

	if (SOAK)
		it('runs repository hooks, servers and rewritten calls in observe mode, as a control', async () => {
			await using rig = await openCodexRig({ script: play(CALLS) });
			await furnish(rig);
			await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, 'observe', () => NO_OPINION);
			const argv = toCodexArgv(readCodexArgs(['exec', ...YOLO, '--', 'go']), FORWARDER, 'observe');
			await using running = await startProgram([rig.program, ...argv], { cwd: rig.project, env: { ...rig.env, ...launch.env } });
			await running.waitForExit(DEADLINE_MS);
			expect(marks(rig)).toEqual(
				expect.arrayContaining([
					'ran-environment',
					'ran-hook-pre',
					'ran-hook-start',
					'ran-hook-stop',
					'ran-rewritten',
					'ran-theirs-started',
				]),
			);
		});

	it('does not start with arguments that hooks cannot gate', async () => {
		await using rig = await openCodexRig({ script: play([]) });
		await putFiles(rig.configDir, { 'hooked.config.toml': '[hooks]\nPreToolUse = []\n' });
		const given = { cwd: rig.project, command: [rig.program], env: rig.env, dir: rig.home, forwarder: FORWARDER } as const;
		for (const [why, ...args] of UNHELD)
			expect(await CODEX_LAUNCH.prepare({ ...given, args, gate: 'enforce' })).toMatchObject({
				ok: false,
				error: { code: 'usage', message: expect.stringContaining(why) },
			});
	});
});
