// roost codex, roost copilot: the user's own agent, recorded, and gated in enforce mode; with a terminal and without one.
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import type { Script } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { codexWords, openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type ReachedRunner, reachRoost } from '@roost/testkit/rigs/runner/runner-rig';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;

type World = AsyncDisposable & {
	agent: 'codex' | 'copilot';
	project: string;
	env: Readonly<Record<string, string>>;
	requests: readonly ModelRequest[];
	/** Arguments for one headless run, and for a terminal with a first prompt. */
	once: readonly string[];
	inTerminal: readonly string[];
	roost(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
};

const WORLDS = { codex: openCodexWorld, copilot: openCopilotWorld };

async function openCodexWorld(script: Script): Promise<World> {
	const rig = await openCodexRig({ script });
	// Its sandbox would block a command's access to the runner before Roost does.
	const once = ['exec', '--skip-git-repo-check', '--sandbox=danger-full-access', '--', 'make it'];
	const projects = `projects={${JSON.stringify(rig.project)}={trust_level="trusted"}}`;
	return await toWorld('codex', rig.program, { ...rig, once, inTerminal: ['-c', projects, 'make it'] }, () =>
		rig[Symbol.asyncDispose](),
	);
}

async function openCopilotWorld(script: Script): Promise<World> {
	const rig = await openCopilotRig({ script });
	const once = ['-p', 'make it', '--silent'];
	return await toWorld('copilot', rig.program, { ...rig, once, inTerminal: ['-i', 'make it'] }, () => rig[Symbol.asyncDispose]());
}

type Rig = Pick<World, 'project' | 'env' | 'requests' | 'once' | 'inTerminal'> & { home: string };

/** A user with the agent of the rig and an empty Roost home. */
async function toWorld(agent: World['agent'], binary: string, rig: Rig, close: () => PromiseLike<void>): Promise<World> {
	const { project, requests, once, inTerminal, home } = rig;
	await symlink(binary, join(home, agent));
	const env = { ...rig.env, PATH: `${home}:${rig.env.PATH}`, ROOST_HOME: join(home, 'roost') };
	async function roost(...args: readonly string[]) {
		await using running = await startProgram(roostArgv(...args), { cwd: project, env });
		return await running.waitForExit(DEADLINE_MS);
	}
	return {
		agent,
		project,
		env,
		requests,
		once,
		inTerminal,
		roost,
		async [Symbol.asyncDispose]() {
			await roost('down', '--force');
			await close();
		},
	};
}

/** One call after the other, regardless of their results. */
const inTurn =
	(...blocks: readonly Block[]): Script =>
	({ messages }) =>
		message([blocks[messages.filter(({ role }) => role === 'assistant').length] ?? say('Done.')]);

const shell = { codex: codexWords.shell, copilot: copilotWords.shell };

/** Repository settings that do not prevent a launch, and how they are listed. */
const BROUGHT = {
	codex: { files: { '.codex/config.toml': 'approval_policy = "never"\n' }, line: '.codex/config.toml: approval_policy' },
	copilot: { files: { '.mcp.json': { mcpServers: { theirs: { command: 'true' } } } }, line: '.mcp.json: mcpServers (theirs)' },
};

describe.each(['codex', 'copilot'] as const)('roost %s', (agent) => {
	const needed = [agentProgram(agent), program('tmux')];

	it.skipIf(cannotRun(needed))(
		'records the session, asks elsewhere, applies rules, and denies self-approval',
		async () => {
			// Through a script: a command that names Roost's program is denied without asking.
			const selfApproval = 'sh decide.sh 2>&1';
			const script = inTurn(...[selfApproval, 'touch denied', 'touch made'].map(shell[agent]));
			await using world = await WORLDS[agent](script);
			await putFiles(world.project, { ...BROUGHT[agent].files, 'decide.sh': `${roostArgv('allow', 'x.1').join(' ')}\n` });
			const rule = ['rules', 'add', 'deny', 'Bash', '--pattern', 'touch denied', '--scope', 'user'];
			await world.roost('up', '--detach');
			expect(await world.roost(...rule)).toMatchObject({ code: 0 });
			const argv = roostArgv(agent, '--enforce', ...world.once);
			await using asked = await startProgram(argv, { cwd: world.project, env: world.env });
			const roost = await reachRoost(world.env.ROOST_HOME ?? '', asked.output);
			await nextAsk(roost, asked.output);
			expect((await world.roost('sessions')).stdout).toMatch(new RegExp(`${agent} +waiting for you +enforced `));
			expect(await world.roost('down')).toMatchObject({ code: 2, stderr: expect.stringContaining('The runner was not stopped') });
			for (const command of [selfApproval, 'touch made']) {
				const ask = await nextAsk(roost, asked.output);
				expect(ask).toMatchObject({ kind: 'permission', tool: 'Bash', input: { command } });
				expect(existsSync(join(world.project, 'made'))).toBe(false);
				expect(await world.roost('allow', ask.id)).toMatchObject({ code: 0 });
			}
			const exit = await asked.waitForExit(DEADLINE_MS);
			expect(exit).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
			expect(exit.stderr).toMatch(/^roost: added /m);
			expect(exit.stderr).toContain(`roost:   ${BROUGHT[agent].line}\n`);
			expect(exit.stderr).toContain('answer with "roost allow ');
			expect(['denied', 'made'].map((file) => existsSync(join(world.project, file)))).toEqual([false, true]);
			const results = JSON.stringify(
				world.requests.at(-1)?.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result')),
			);
			expect(results).toContain('Agents cannot do this');
			expect(results).toContain('Denied by rule');
			const [begun] = await read(roost, '/sessions');
			const wanted = ['user.prompt', 'tool.pre', 'permission.decision', 'tool.post', 'usage.update', 'run.end', 'session.end'];
			const recorded = async () => (await read(roost, `/sessions/${begun.id}/events`)).map(({ event }) => event);
			const isWhole = (seen: Awaited<ReturnType<typeof recorded>>) =>
				wanted.every((kind) => seen.some((event) => event.kind === kind));
			// Its final events may be recorded after it has exited.
			await waitFor(async () => isWhole(await recorded()) || undefined, {
				deadlineMs: DEADLINE_MS,
				what: 'all of it',
				seen: recorded,
			});
			const events = await recorded();
			const [session] = await read(roost, '/sessions');
			expect(session).toMatchObject({ agent, status: 'ended', projectPath: world.project, title: 'make it' });
			expect(events.find(({ kind }) => kind === 'runtime.error')?.data).toMatchObject({ code: 'self_approval' });
			expect(events.filter(({ kind }) => kind === 'notification').map(({ data }) => data)).toContainEqual({
				message: BROUGHT[agent].line,
				notification_type: 'repository_settings',
			});
			expect((await world.roost('feed', session.id)).stdout).toContain(BROUGHT[agent].line);
			const [used] = Object.values(events.findLast(({ kind }) => kind === 'usage.update')?.data.by_model);
			expect(used).toMatchObject({ input_tokens: 1034 * 4, cache_read_tokens: 200 * 4, output_tokens: 56 * 4 });
		},
		DEADLINE_MS * 2,
	);

	it.skipIf(cannotRun(needed))(
		'asks once for a call that the agent would ask about itself, and is answered from elsewhere',
		async () => {
			const escalated = { sandbox_permissions: 'require_escalated', justification: 'May I?' };
			const call = agent === 'codex' ? callTool('exec_command', { cmd: 'touch made', ...escalated }) : shell[agent]('touch made');
			await using world = await WORLDS[agent](inTurn(call));
			await using tmux = await createTmuxRig();
			const argv = roostArgv('--enforce', agent, ...world.inTerminal);
			const terminal = await tmux.start(argv, { cwd: world.project, env: world.env, cols: 80, rows: 24 });
			const roost = await reachRoost(world.env.ROOST_HOME ?? '', () => terminal.screen());
			const leaveDialogs = async () => {
				const screen = await terminal.screen();
				if (/trust the files/i.test(screen)) await terminal.key('Enter');
				if (/Use existing model/.test(screen)) await terminal.key('Escape');
			};
			const ask = await nextAsk(roost, () => terminal.screen(), leaveDialogs);
			expect(existsSync(join(world.project, 'made'))).toBe(false);
			expect(await world.roost('allow', ask.id)).toMatchObject({ code: 0 });
			await terminal.waitForScreen(/Done\./, DEADLINE_MS);
			expect(existsSync(join(world.project, 'made'))).toBe(true);
			await terminal.type('/quit');
			await terminal.waitForScreen(/\/quit/, DEADLINE_MS);
			await terminal.key('Enter');
			await terminal.waitForScreen(/on record as session/, DEADLINE_MS);
			const [session] = await read(roost, '/sessions');
			const recorded = async () => (await read(roost, `/sessions/${session.id}/events`)).map(({ event }) => event.kind);
			// Its final events may be recorded after it has exited.
			const isEnded = async () => (await recorded()).includes('session.end') || undefined;
			await waitFor(isEnded, { deadlineMs: DEADLINE_MS, what: 'its end on record', seen: recorded });
			expect((await recorded()).filter((kind) => kind === 'permission.request')).toHaveLength(1);
		},
		DEADLINE_MS * 2,
	);
});

/** Calls `beforePoll` before every poll. */
async function nextAsk(roost: ReachedRunner, seen: () => unknown, beforePoll = async () => {}) {
	const pending = async () => {
		await beforePoll();
		return (await read(roost, '/asks')).find(({ state }) => state === 'pending');
	};
	return await waitFor(pending, { deadlineMs: DEADLINE_MS, what: 'the ask', everyMs: 100, seen });
}

/** A list, or the list inside the response. */
async function read(roost: ReachedRunner, path: string) {
	const body = JSON.parse((await roost.call('GET', `/api/v1${path}`)).body);
	return Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
}
