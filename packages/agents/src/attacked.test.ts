// The real agents with a model that attacks: hostile names, broken and huge inputs, garbage and many calls at once. Roost stays up and nothing runs.
import { readdirSync } from 'node:fs';
import { apiError, type Block, callTool, malformed, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { FORWARDER, openObservedLaunch } from '@roost/testkit/rigs/agents/observed-launch';
import { openPiRig, PI_MODEL } from '@roost/testkit/rigs/agents/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { CODEX_LAUNCH } from './codex/launch.ts';
import { CODEX_HOOK_PROTOCOL } from './codex/observed-hooks.ts';
import { COPILOT_LAUNCH } from './copilot/launch.ts';
import { COPILOT_HOOK_PROTOCOL } from './copilot/observed-hooks.ts';
import type { HookProtocol } from './hooks/launch-runtime.ts';
import type { Launch, Launchable } from './kind/observed-kind.ts';
import { PI_HOOK_PROTOCOL, PI_LAUNCH } from './pi/launch.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const FLOOD = SOAK ? 60 : 3;
/** Each call starts a hook process. */
const some = <T>(all: readonly T[]): readonly T[] => (SOAK ? all : all.slice(0, 2));
const MEGABYTE = 1024 * 1024;

type Attacked = {
	id: 'codex' | 'copilot' | 'pi';
	launchable: { prepare(launch: Launch): ReturnType<Launchable['prepare']> };
	protocol: HookProtocol;
	args: readonly string[];
	shell: (command: unknown) => Block;
	write: (path: string, text: string) => Block;
	open(script: Script): Promise<AsyncDisposable & { project: string; env: Readonly<Record<string, string>>; program: string }>;
};

const AGENTS: readonly Attacked[] = [
	{
		id: 'codex',
		launchable: CODEX_LAUNCH,
		protocol: CODEX_HOOK_PROTOCOL,
		args: ['exec', '--dangerously-bypass-approvals-and-sandbox', '--', 'go'],
		shell: (cmd) => callTool('exec_command', { cmd }),
		write: (path, text) =>
			callTool('apply_patch', { input: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n` }),
		async open(script) {
			const rig = await openCodexRig({ script });
			return {
				project: rig.project,
				env: rig.env,
				program: rig.program,
				[Symbol.asyncDispose]: async () => await rig[Symbol.asyncDispose](),
			};
		},
	},
	{
		id: 'copilot',
		launchable: COPILOT_LAUNCH,
		protocol: COPILOT_HOOK_PROTOCOL,
		args: ['-p', 'go', '--silent', '--allow-all'],
		shell: (command) => callTool('bash', { command, description: 'x' }),
		write: (path, text) => callTool('create', { path, file_text: text }),
		open: (script) => openCopilotRig({ script }),
	},
	{
		id: 'pi',
		launchable: PI_LAUNCH,
		protocol: PI_HOOK_PROTOCOL,
		args: ['-p', '--model', PI_MODEL, 'go'],
		shell: (command) => callTool('bash', { command }),
		write: (path, text) => callTool('write', { path, content: text }),
		open: (script) => openPiRig({ script }),
	},
];

const NAMES = [
	'__proto__',
	'constructor',
	'toString',
	'Read',
	'mcp__Read__Read',
	'x'.repeat(60),
	'a-b_c',
	'Agent',
	'hasOwnProperty',
];
const nested = (depth: number): unknown => (depth === 0 ? 'touch ran-nested' : { command: nested(depth - 1) });

/** The replies of the model in order; the last one says that it is done. */
function toTurns({ shell, write }: Attacked): readonly ReturnType<typeof message>[] {
	const hostile = some(NAMES).map((name) =>
		callTool(name, { command: 'touch ran-name', cmd: 'touch ran-name', __proto__: null }),
	);
	const broken = [
		nested(200),
		['touch ran-broken'],
		null,
		7,
		[],
		{},
		'\u0000\u001b]0;x\u0007 touch ran-broken',
		'\ud800 touch ran-broken',
	];
	const flood = Array.from({ length: FLOOD }, (_, at) => shell(`touch ran-flood-${at}`));
	const sizes = SOAK ? [1, 7, 7.9, 8.1, 16] : [8.1];
	return [
		message(hostile),
		message(some(broken).map(shell)),
		message(flood),
		...sizes.map((size) => message([write(`ran-huge-${size}`, 'x'.repeat(size * MEGABYTE))])),
		message([shell(`touch ran-long # ${'x'.repeat(MEGABYTE)}`)]),
		message([shell('touch ran-last')]),
	];
}

const deny: TestGate = ({ hookName }) =>
	hookName === 'PreToolUse' ? NO_OPINION : { verdict: { type: 'deny', message: 'no' }, source: 'user' };

describe.each(AGENTS)('$id with a hostile model', (agent) => {
	it.skipIf(cannotRun([agentProgram(agent.id)]))(
		'runs no call without a decision, and Roost still responds afterwards',
		{ timeout: 600_000 },
		async () => {
			const turns = toTurns(agent);
			let asked = -1;
			const script: Script = () => {
				asked += 1;
				return (
					turns[asked] ??
					(asked === turns.length ? message([say('done')]) : asked % 2 ? malformed('not-json') : apiError(400, 'x', 'y'))
				);
			};
			await using rig = await agent.open(script);
			await using launch = await openObservedLaunch(agent.protocol, 'enforce', deny);
			const { project: cwd, env, program } = rig;
			const given = { cwd, command: [program], env, dir: launch.dir, forwarder: FORWARDER } as const;
			const { argv } = unwrap(await agent.launchable.prepare({ ...given, args: agent.args, gate: 'enforce' }));
			await using running = await startProgram([program, ...argv], { cwd, env: { ...env, ...launch.env } });
			await running.waitForExit(300_000);
			expect(readdirSync(cwd).filter((name) => name.startsWith('ran-'))).toEqual([]);
			const reported = launch.reported('PermissionRequest').map((payload) => JSON.stringify(payload));
			expect(reported.filter((each) => each.includes('ran-flood-'))).toHaveLength(FLOOD);
			expect(reported.at(-1)).toContain('ran-last');
		},
	);
});
